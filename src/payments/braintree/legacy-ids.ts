/**
 * Notifications and the Control Panel name objects by short "legacy" IDs, the GraphQL API by global ones
 * (developer.paypal.com/braintree/graphql/reference/queries/ids-from-legacy-ids).
 */
import { z } from 'zod';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import type { Braintree } from './client.ts';

const CONVERT = `query ConvertIds($input: IdsFromLegacyIdsInput!) { idsFromLegacyIds(input: $input) }`;
const CONVERTED = z.object({ idsFromLegacyIds: z.array(z.string()).length(1) });

/** "Does not verify existence". @throws GraphqlError, NoAnswer */
export async function globalId(
  api: Braintree,
  type: 'DISPUTE' | 'REFUND' | 'TRANSACTION',
  legacyId: string,
): Promise<string> {
  const { idsFromLegacyIds: ids } = await api.ask(CONVERT, { input: { ids: [{ legacyId, type }] } }, CONVERTED);
  const [id] = ids;
  if (id === undefined) throw new NoAnswer('unreadable');
  return id;
}

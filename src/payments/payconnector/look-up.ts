/**
 * Looks up a charge at the connector: `GET <lookup_url>?transaction_id=<our charge ID>`. This is ours: Twilio's contract has
 * no lookup. Without a `lookup_url`, the outcome of a charge whose answer was lost stays unknown until a person settles
 * it.
 */
import { z } from 'zod';
import { type NotFound, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { LookupRequest } from '../port/charges.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { faultOf, outcomeOf } from './charge.ts';
import { type Connector, contentOf, type OpenConnector, word } from './client.ts';

/**
 * `not_found`: the connector never received the charge. It must say so in a body that repeats the transaction ID, because
 * the 404 of another server would look like one.
 */
const FOUND = z.object({
  transaction_id: z.string(),
  status: z.enum(['succeeded', 'failed', 'pending', 'not_found']),
  charge_id: word,
  error_code: word,
});
type Found = z.infer<typeof FOUND>;

export async function lookUpAtConnector(
  open: OpenConnector,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  return lookUpListed(
    request,
    async (observe) => {
      const connector = await open(request, signal);
      const found = await readTransaction(connector, request.chargeId, observe);
      return found?.status === 'not_found' ? null : { found };
    },
    ({ found }) => (found === null ? unknown('no_lookup_url') : answerOf(found)),
    faultOf,
  );
}

function answerOf({ status, charge_id: id, error_code: code }: Found): ProcessorAnswer {
  switch (status) {
    case 'succeeded':
      return outcomeOf(id, null);
    case 'failed':
      return outcomeOf(null, code ?? 'failed');
    default:
      return unknown(status);
  }
}

/** @returns null if the connector has no lookup. @throws NoAnswer, LoginRejected */
export async function readTransaction(
  { urls, get }: Connector,
  transactionId: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Found | null> {
  if (urls.lookup_url === undefined) return null;
  const url = new URL(urls.lookup_url);
  url.searchParams.set('transaction_id', transactionId);
  const answer = await get(url);
  onAnswer?.(answer);
  const schema = FOUND.refine(({ transaction_id: id }) => id === transactionId);
  return contentOf(schema, answer);
}

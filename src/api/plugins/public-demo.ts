/** The public demo: visitors share its account, so its keys, merchants and saved cards cannot be changed. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import type { AccountId } from '../../domain/ids.ts';

export interface PublicDemoDeps {
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines. Off where not given. */
  isPublicDemo?: boolean;
}

const LOCKED: ReadonlySet<string> = new Set([
  ...['create_key', 'roll_key', 'revoke_key'],
  ...['create_merchant', 'change_merchant', 'connect_processor'],
  'delete_card',
]);

/** To be called after {@link authenticate}. Holds for the demo's well-known key, too. */
export function lockPublicDemo(app: FastifyInstance, { demoAccount, isPublicDemo = false }: PublicDemoDeps): void {
  if (!isPublicDemo || demoAccount === null) return;
  app.addHook('onRequest', async ({ scope, routeOptions }) => {
    if (scope.accountId !== demoAccount || !LOCKED.has(routeOptions.config.operation?.id ?? '')) return;
    throw new ApiError('invalid_key', {
      message: 'Visitors of the public demo cannot do this: it takes the key of an account of your own.',
    });
  });
}

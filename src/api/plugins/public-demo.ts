/** A demo that strangers can reach is the same for each of them: what they share is not theirs to change. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import type { AccountId } from '../../domain/ids.ts';

export interface PublicDemoDeps {
  demoAccount: AccountId | null;
  /** Strangers can reach the demo. Off where not given. */
  isPublicDemo?: boolean;
}

/** Operations on what the demo is seeded with: its keys, its merchants, its caller's cards. */
const LOCKED: ReadonlySet<string> = new Set([
  ...['create_key', 'roll_key', 'revoke_key'],
  ...['create_merchant', 'change_merchant', 'connect_processor'],
  'delete_card',
]);

/** After {@link authenticate}: the demo's well-known key opens no more than no key does. */
export function lockPublicDemo(app: FastifyInstance, { demoAccount, isPublicDemo = false }: PublicDemoDeps): void {
  if (!isPublicDemo || demoAccount === null) return;
  app.addHook('onRequest', async ({ scope, routeOptions }) => {
    if (scope.accountId !== demoAccount || !LOCKED.has(routeOptions.config.operation?.id ?? '')) return;
    throw new ApiError('invalid_key', {
      message: 'Visitors of the public demo cannot do this: it takes the key of an account of your own.',
    });
  });
}

/** The demo's user: under `npm start` the demo account opens without signing in, to requests of its own machine only. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../domain/ids.ts';
import { DashboardFault } from './faults.ts';
import type { DashboardUser, SignIn } from './ports.ts';

/** @param demoAccount null where there is no demo: then nobody is let in */
export function demoSignIn(demoAccount: AccountId | null): SignIn {
  const token = createHmac('sha256', randomBytes(32)).update('dashboard').digest();
  return {
    async requireUser({ isLocal }) {
      if (demoAccount === null || !isLocal) throw new DashboardFault('not_signed_in');
      return demoUser(demoAccount);
    },
    csrfToken: () => token.toString('base64url'),
    isCsrfToken(_request, text) {
      const given = Buffer.from(text, 'base64url');
      return given.length === token.length && timingSafeEqual(given, token);
    },
  };
}

const demoUser = (accountId: AccountId): DashboardUser => ({
  ...{ accountId, role: 'owner', name: 'Demo', email: null, isDemo: true },
  actor: { kind: 'demo', id: null },
});

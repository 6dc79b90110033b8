/** A signed-in user with a password and an authenticator app, for tests of the pages about the own sign-in. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { hashPassword } from '../../src/accounts/users/password.ts';
import { newTotpSecret, recoveryHashes, totpContext } from '../../src/accounts/users/second-factor.ts';
import { findSessionByToken, type UserSession } from '../../src/accounts/users/sessions.ts';
import type { Database } from '../../src/db/pool.ts';
import { replaceRecoveryCodes, setPassword } from '../../src/db/users/credentials.ts';
import type { User } from '../../src/domain/user.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { type PageAnswer, startDashboard, type TestDashboard } from './dashboard.ts';
import { auditOf, newAccount } from './users.ts';

export const HERE = '/test/your-sign-in';
export const NEW_PASSWORD = `${HERE}/new-password`;
export const NEW_APP = `${HERE}/new-authenticator`;
export const PASSWORD = 'seven green rivers';
export const OTHER_PASSWORD = 'nine blue mountains';
export const RECOVERY_CODE = 'abcd-efgh-jkmn-pqrs';
/** The origin of requests that tests make without HTTP. */
export const FROM = { source: '127.0.0.1', requestId: null };
/** A fixed time in the middle of a code's 30 seconds, so that codes do not change during a test. */
const NOW_MS = Math.floor(Date.now() / 30_000) * 30_000 + 15_000;
export const ENCRYPTION_KEY = Buffer.alloc(32, 7);

export const vault = createVault([ENCRYPTION_KEY]);
export const now = () => new Date(NOW_MS);

/** The code of an authenticator app. @param steps of 30 seconds from now */
export const codeOf = (base32: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: NOW_MS + steps * 30_000 });

/** The setup token and the key on the page that shows the new app's key. */
export function offeredIn({ html }: Pick<PageAnswer, 'html'>): { setupToken: string; key: string } {
  const setupToken = /name="setup_token" value="([\w-]{43})"/.exec(html)?.[1] ?? '';
  const key = /<code>((?:[A-Z2-7]{1,4} ?)+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
  return { setupToken, key };
}

export const faultAt = ({ html }: Pick<PageAnswer, 'html'>, field: string) =>
  new RegExp(`id="${field}-fault">([^<]+)<`).exec(html)?.[1] ?? null;

type Fields = Record<string, string>;

/** Signs in a new user for each test: a viewer of a new account. */
export class OwnCredentials {
  dashboard!: TestDashboard;
  /** The key of the user's current authenticator app. */
  secret = '';

  constructor() {
    beforeAll(async () => {
      this.dashboard = await startDashboard({ vault, now });
    });
    afterAll(() => this.dashboard.close());
    beforeEach(async () => {
      await this.dashboard.as('viewer', await newAccount(this.database));
      this.secret = await givePassword(this.database, this.user);
    });
  }

  get database(): Database {
    return this.dashboard.api.database;
  }

  get user(): User {
    return this.dashboard.user.user;
  }

  /** @returns the session's token, or null if the sign-in failed */
  async signIn(fields: { password?: string; code?: string }): Promise<string | null> {
    const given = { email: this.user.email, password: PASSWORD, code: codeOf(this.secret), ...fields };
    const answer = await fetch(`${this.dashboard.api.url}/dashboard/sign-in`, {
      method: 'POST',
      body: new URLSearchParams(given),
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    return /^ringkey=([\w-]{43});/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? null;
  }

  changePassword(fields: Fields = {}): Promise<PageAnswer> {
    const given = { current: PASSWORD, password: OTHER_PASSWORD, ...fields };
    return this.dashboard.submit(NEW_PASSWORD, NEW_PASSWORD, given);
  }

  startApp(fields: Fields = {}): Promise<PageAnswer> {
    return this.dashboard.submit(NEW_APP, NEW_APP, { current: PASSWORD, ...fields });
  }

  confirmApp(setupToken: string, fields: Fields): Promise<PageAnswer> {
    return this.dashboard.submit(NEW_APP, NEW_APP, { setup_token: setupToken, ...fields });
  }

  /** @throws Error if the session has ended */
  async session(token = this.dashboard.user.token): Promise<UserSession> {
    const session = await findSessionByToken(this.database, token);
    if (session === null) throw new Error('the session has ended');
    return session;
  }

  async isActive({ token }: { token: string }): Promise<boolean> {
    return (await findSessionByToken(this.database, token)) !== null;
  }

  /** The audit entries of the user that start with this action. */
  async auditEntries(action: string): Promise<string[]> {
    return (await auditOf(this.database, this.user)).filter((line) => line.startsWith(action));
  }
}

async function givePassword(database: Database, user: User): Promise<string> {
  const secret = newTotpSecret();
  const totpSecret = vault.seal(secret, totpContext(user.id));
  await setPassword(database, user.id, { passwordHash: await hashPassword(PASSWORD), totpSecret, totpStep: 1 });
  await replaceRecoveryCodes(database, user.id, recoveryHashes(user, [RECOVERY_CODE]));
  return secret;
}

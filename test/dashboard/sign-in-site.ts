/** The sign-in pages over real HTTP, PostgreSQL and Redis, with a guarded page; and a browser without scripts. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import type { OidcSettings } from '../../src/accounts/users/oidc.ts';
import type { Database } from '../../src/db/pool.ts';
import { markLocalRequests } from '../../src/http/api/plugins/local-requests.ts';
import { openRateLimiter, RATE_LIMITS, type RateLimit } from '../../src/http/api/rate-limiter.ts';
import { createServer } from '../../src/http/api/server.ts';
import { dashboardAssets } from '../../src/http/dashboard/assets.ts';
import { csrfToken } from '../../src/http/dashboard/sign-in/form-token.ts';
import { requireRecentSignIn, requireUser } from '../../src/http/dashboard/sign-in/require-user.ts';
import { signInRoutes } from '../../src/http/dashboard/sign-in/routes.ts';
import { assetRoutes } from '../../src/http/shared/static-assets.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestRedis } from '../support/redis.ts';

export interface SignInSite {
  database: Database;
  /** `http://localhost:<port>`. */
  url: string;
  /** Lines of the log. */
  log: string[];
  browser(): TextBrowser;
  /** For requests with another host name. */
  app: FastifyInstance;
  close(): Promise<void>;
}

interface SignInSiteOptions {
  oidc?: OidcSettings;
  limit?: RateLimit;
}

const MANY: RateLimit = { requests: 10_000, windowSeconds: 60 };

export async function startSignInSite({ oidc, limit = MANY }: SignInSiteOptions = {}): Promise<SignInSite> {
  const { database, close } = await createTestDatabase();
  const redis = await createTestRedis();
  const log: string[] = [];
  const logger = createLog({ level: 'debug', instance: 'test', destination: { write: (line) => log.push(line) } });
  const limits = { ...RATE_LIMITS, signIn: limit };
  const rateLimiter = await openRateLimiter({ redisUrl: redis.url, log: logger, limits, commandLimitMs: 120_000 });
  const { app } = createServer({ log: logger, docsUrl: 'https://docs.example.com', trustedProxies: [], checks: {} });
  markLocalRequests(app, { allowedHosts: null });
  const { style, scripts } = dashboardAssets();
  assetRoutes(app, [style, ...scripts]);
  const deps = { database, publicUrl: null, demoAccount: null };
  const vault = createVault([randomBytes(32)]);
  signInRoutes(app, { ...deps, vault, rateLimiter, now: () => new Date(NOW_MS), oidc: oidc ?? null, failureMs: 0 });
  app.register(
    (pages, _options, done) => {
      requireUser(pages, deps);
      const show = async (request: Parameters<typeof csrfToken>[0] & { user: { email: string; accountId: string } }) =>
        `<p>${request.user.email} of ${request.user.accountId}</p><i>${csrfToken(request)}</i>`;
      pages.get('/', async (request, reply) => reply.type('text/html').send(await show(request)));
      pages.get('/calls', async (request, reply) => reply.type('text/html').send(await show(request)));
      pages.get('/guarded', async (request, reply) => (requireRecentSignIn(request, reply) ? 'done' : reply));
      done();
    },
    { prefix: '/dashboard' },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    database,
    log,
    url: `http://localhost:${port}`,
    browser: () => new TextBrowser(`http://127.0.0.1:${port}`, `localhost:${port}`),
    async close() {
      await app.close();
      rateLimiter.close();
      await Promise.all([close(), redis.close()]);
    },
  };
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
  location: string | null;
}

/** Keeps cookies, and sends `Sec-Fetch-Site` with forms, as browsers do. */
export class TextBrowser {
  readonly cookies = new Map<string, string>();
  readonly #base: string;
  readonly #host: string;

  constructor(base: string, host: string) {
    this.#base = base;
    this.#host = host;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#ask(path, { headers });
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const ours = { 'sec-fetch-site': 'same-origin', ...headers };
    return this.#ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: ours });
  }

  /** `fetch` derives the Host header from the URL, so the URL contains the host name. */
  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = this.#base.replace('127.0.0.1', this.#host.split(':')[0] ?? '') + path;
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, ...init.headers } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = answer;
    return { status, headers, html: await answer.text(), location: headers.get('location') };
  }
}

export const PASSWORD = 'seven green rivers';

/** A fixed time in the middle of a code's 30 seconds, so that codes do not change during a test. */
const NOW_MS = Math.floor(Date.now() / 30_000) * 30_000 + 15_000;

/** The code of an authenticator app. @param steps of 30 seconds from now */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOW_MS + steps * 30_000 });
}

interface SetUp {
  secret: string;
  recoveryCodes: string[];
}

/**
 * Opens the invitation and sets up a password and an authenticator app, without scripts.
 * @param code computes the code if the service uses the real time. By default the previous code, because each code works
 *   once and the current one is for signing in.
 */
export async function setUpPassword(
  browser: TextBrowser,
  token: string,
  password = PASSWORD,
  code = (secret: string) => codeOf(secret, -1),
): Promise<SetUp> {
  const page = await browser.get(`/dashboard/invitation/${token}`);
  const secret = /<code>((?:[A-Z2-7]{1,4} ?)+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '') ?? '';
  const answer = await browser.post(`/dashboard/invitation/${token}`, { password, code: code(secret) });
  if (answer.status !== 200) throw new Error(`the invitation returned ${answer.status}: ${answer.html}`);
  const recoveryCodes = [...answer.html.matchAll(/<code>([a-z2-9]{4}(?:-[a-z2-9]{4}){3})<\/code>/g)].map(
    ([, code = '']) => code,
  );
  return { secret, recoveryCodes };
}

/** The dashboard over real HTTP and PostgreSQL, with a signed-in user of the demo account. */
import type { AccountId } from '../../src/domain/ids.ts';
import type { Role } from '../../src/domain/user.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../contract/test-api.ts';
import { type SignedInUser, signedInUser } from './users.ts';

export interface TestDashboard {
  api: TestApi;
  /** The user who is signed in, for all further requests. */
  user: SignedInUser;
  /** Signs in as a new user of this role. */
  as(role: Role, account?: AccountId): Promise<void>;
  /** @param path within `/dashboard` */
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Submits a form. @param page the path of the page with the form, whose token is sent */
  submit(page: string, action: string, fields?: Record<string, string>): Promise<PageAnswer>;
  close(): Promise<void>;
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
}

export const FORM_TOKEN = /name="form_token" value="([^"]+)"/;

export async function startDashboard(options: TestApiOptions = {}): Promise<TestDashboard> {
  const api = await startTestApi(options);
  const user = await signedInUser(api.database, 'owner', DEMO_ACCOUNT);
  const get: TestDashboard['get'] = async (path, headers = {}) => {
    const { cookie } = user;
    const ask = async (address: string) =>
      answerOf(await fetch(api.url + address, { headers: { cookie, ...headers }, redirect: 'manual' }));
    const answer = await ask(`/dashboard${path}`);
    const own = ownAddress(path, answer);
    return own === null ? answer : ask(own);
  };
  return {
    api,
    user,
    get,
    as: async (role, account = DEMO_ACCOUNT) =>
      void Object.assign(user, await signedInUser(api.database, role, account)),
    async submit(page, action, fields = {}) {
      const token = FORM_TOKEN.exec((await get(page)).html)?.[1] ?? '';
      const body = new URLSearchParams({ form_token: token, ...fields });
      const headers = { cookie: user.cookie, 'sec-fetch-site': 'same-origin' };
      const answer = await fetch(`${api.url}/dashboard${action}`, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
      });
      keepCookie(user, answer);
      return answerOf(answer);
    },
    close: () => api.close(),
  };
}

/** Takes over a new session cookie, as a browser does. */
function keepCookie(user: SignedInUser, { headers }: Response): void {
  const token = /^ringkey=([\w-]{43});/.exec(headers.get('set-cookie') ?? '')?.[1];
  if (token !== undefined) Object.assign(user, { token, cookie: `ringkey=${token}` });
}

/** A form's page redirects to itself with an attempt in the URL. @returns that URL, or null for other responses */
export function ownAddress(path: string, { status, headers }: Pick<PageAnswer, 'status' | 'headers'>): string | null {
  const to = headers.get('location') ?? '';
  const isOwn =
    status === 303 && to.startsWith(`/dashboard${path.split('?', 1)[0]}?`) && /[?&]attempt=[\w-]+$/.test(to);
  return isOwn ? to : null;
}

async function answerOf(response: Response): Promise<PageAnswer> {
  return { status: response.status, headers: response.headers, html: await response.text() };
}

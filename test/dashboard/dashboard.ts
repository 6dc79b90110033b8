/** The dashboard for tests: real HTTP and PostgreSQL; who is signed in is set by the test. */
import { demoSignIn } from '../../src/dashboard/demo-user.ts';
import type { DashboardUser } from '../../src/dashboard/ports.ts';
import type { Role } from '../../src/domain/role.ts';
import { DEMO_ACCOUNT } from '../../src/standalone/demo-data.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../contract/test-api.ts';

export interface TestDashboard {
  api: TestApi;
  /** Whoever asks from now on. */
  user: DashboardUser;
  as(role: Role): void;
  /** @param path within `/dashboard` */
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Sends the form of a page, with the token that the page has. @param page path of the page that has the form */
  submit(page: string, action: string, fields?: Record<string, string>): Promise<PageAnswer>;
  close(): Promise<void>;
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
}

export const CSRF = /name="csrf" value="([^"]+)"/;

export async function startDashboard(options: TestApiOptions = {}): Promise<TestDashboard> {
  const signIn = demoSignIn(DEMO_ACCOUNT);
  const user: DashboardUser = {
    ...{ accountId: DEMO_ACCOUNT, role: 'owner', name: 'Ada', email: 'ada@example.com', isDemo: false },
    actor: { kind: 'demo', id: null },
  };
  const api = await startTestApi({ signIn: { ...signIn, requireUser: async () => ({ ...user }) }, ...options });
  const get: TestDashboard['get'] = async (path, headers = {}) =>
    answerOf(await fetch(`${api.url}/dashboard${path}`, { headers, redirect: 'manual' }));
  return {
    ...{ api, user, get },
    as: (role) => void Object.assign(user, { role }),
    async submit(page, action, fields = {}) {
      const csrf = CSRF.exec((await get(page)).html)?.[1] ?? '';
      const body = new URLSearchParams({ csrf, ...fields });
      const headers = { 'sec-fetch-site': 'same-origin' };
      return answerOf(
        await fetch(`${api.url}/dashboard${action}`, { method: 'POST', body, headers, redirect: 'manual' }),
      );
    },
    close: () => api.close(),
  };
}

async function answerOf(response: Response): Promise<PageAnswer> {
  return { status: response.status, headers: response.headers, html: await response.text() };
}

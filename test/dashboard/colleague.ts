/** A second signed-in user of the demo account, for tests of what two people do at the same time. */
import type { Role } from '../../src/domain/user.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { FORM_TOKEN, ownAddress, type PageAnswer, type TestDashboard } from './dashboard.ts';
import { type SignedInUser, signedInUser } from './users.ts';

export interface Colleague {
  user: SignedInUser;
  /** @param path within `/dashboard` */
  get(path: string): Promise<PageAnswer>;
  /** Opens a page with a form. */
  open(path: string): Promise<OpenForm>;
}

interface OpenForm {
  html: string;
  /** Submits the form with the hidden fields that it had when it was opened. */
  send(): Promise<PageAnswer>;
}

export async function colleagueOf({ api }: TestDashboard, role: Role): Promise<Colleague> {
  const user = await signedInUser(api.database, role, DEMO_ACCOUNT);
  const ask = async (path: string, body?: URLSearchParams): Promise<PageAnswer> => {
    const headers = { cookie: user.cookie, ...(body !== undefined && { 'sec-fetch-site': 'same-origin' }) };
    const init = { headers, redirect: 'manual' as const, ...(body !== undefined && { method: 'POST', body }) };
    const answer = await fetch(`${api.url}${path}`, init);
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const get = async (path: string) => {
    const answer = await ask(`/dashboard${path}`);
    const own = ownAddress(path, answer);
    return own === null ? answer : ask(own);
  };
  return {
    user,
    get,
    async open(path) {
      const { html } = await get(path);
      const form = [...html.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].find(
        ([text]) => FORM_TOKEN.test(text) && !text.includes('sign-out'),
      )?.[0];
      if (form === undefined) throw new Error(`${path} has no form: ${html}`);
      const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const fields = () => new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
      return { html, send: () => ask(action, fields()) };
    },
  };
}

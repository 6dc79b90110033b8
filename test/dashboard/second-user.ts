/** A second signed-in user of the demo account, for tests of what two people do at the same time. */
import type { Role } from '../../src/domain/user.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { FORM_TOKEN, ownAddress, type PageAnswer, type TestDashboard } from './dashboard.ts';
import { type SignedInUser, signedInUser } from './users.ts';

export interface SecondUser {
  user: SignedInUser;
  /** @param path within `/dashboard` */
  get(path: string): Promise<PageAnswer>;
  /** Opens a page with a form. */
  open(path: string): Promise<OpenForm>;
}

interface OpenForm {
  html: string;
  /** Submits the form with the hidden fields that it had when it was opened. @param fields what the user enters */
  send(fields?: Record<string, string>): Promise<PageAnswer>;
  /** Submits the form, and opens the form of the page that it leads to. */
  goOn(fields: Record<string, string>): Promise<OpenForm>;
}

export async function secondUserOf({ api }: TestDashboard, role: Role): Promise<SecondUser> {
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
  const formIn = (html: string): OpenForm => {
    const form = [...html.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].find(
      ([text]) => FORM_TOKEN.test(text) && !text.includes('sign-out'),
    )?.[0];
    if (form === undefined) throw new Error(`the page has no form: ${html}`);
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const send: OpenForm['send'] = (fields = {}) => {
      const all = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
      return ask(action, new URLSearchParams({ ...all, ...fields }));
    };
    return { html, send, goOn: async (fields) => formIn((await send(fields)).html) };
  };
  return { user, get, open: async (path) => formIn((await get(path)).html) };
}

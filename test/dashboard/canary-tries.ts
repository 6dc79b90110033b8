/** Secrets by mistake in the wrong field, path or header of every kind of request; and a crawler of the dashboard. */
import { TextBrowser } from './sign-in-site.ts';

/** A browser that the demo does not trust, because it comes through a proxy. */
export function strangerAt(baseUrl: string): TextBrowser {
  return new TextBrowser(baseUrl, `localhost:${new URL(baseUrl).port}`);
}

type Try = readonly [method: 'GET' | 'POST', path: string, init?: { headers?: Record<string, string>; body?: string }];

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
const JSON_BODY = { 'content-type': 'application/json' };

/** Places where a secret may end up by mistake. None of them is supposed to store it. */
function triesWith(secret: string): Try[] {
  const inUrl = encodeURIComponent(secret);
  const form = (...names: string[]) => ({
    headers: FORM,
    body: new URLSearchParams(names.map((name) => [name, secret])).toString(),
  });
  const json = (body: unknown, headers = {}) => ({
    headers: { ...JSON_BODY, ...headers },
    body: JSON.stringify(body),
  });
  const checkout = { merchant_id: 'mer_demo_diner', amount_cents: 1_000 };
  return [
    ...['charges', 'calls', 'checkout_sessions', 'refunds', 'requests', 'merchants', 'events', 'orders', ''].map(
      (list) => ['GET', `/v1/${list}/${inUrl}`] as const,
    ),
    ...['starting_after', 'caller_phone', 'last_four', 'created_after', 'limit', 'unknown', 'key'].map(
      (name) => ['GET', `/v1/charges?${name}=${inUrl}`] as const,
    ),
    ['GET', '/v1/account', { headers: { authorization: `Bearer ${secret}` } }],
    ['GET', '/v1/account', { headers: { authorization: secret, 'x-api-key': secret, cookie: `ringkey=${secret}` } }],
    ['POST', '/v1/create_checkout', json({ ...checkout, caller_phone: secret })],
    ['POST', '/v1/create_checkout', json({ ...checkout, merchant_id: secret, [secret]: secret })],
    ['POST', '/v1/create_checkout', json({ ...checkout, [secret]: 1 }, { 'idempotency-key': secret.slice(0, 255) })],
    ['POST', '/v1/create_checkout', { headers: JSON_BODY, body: `{"amount_cents": "${secret}` }],
    ['POST', '/v1/create_checkout', { headers: { 'content-type': secret.slice(0, 40) }, body: secret }],
    ['POST', '/v1/charge', json({ checkout_session_id: secret, instrument_id: secret, [secret]: true })],
    ['POST', '/v1/refunds', json({ charge: secret, amount_cents: 1, reason: secret })],
    ['POST', '/v1/webhook_endpoints', json({ url: secret, events: [secret] })],
    ['POST', '/v1/merchants/mer_demo_diner/processor', json({ processor: secret, credentials: { [secret]: secret } })],
    ['POST', '/v1/merchants/mer_demo_diner/processor', json({ processor: 'stripe', credentials: { key: secret } })],
    ['POST', '/api/tools/create_checkout', json({ amount_cents: 1 }, { 'x-ringkey-merchant': secret.slice(0, 200) })],
    ...['sign-in', 'invitation', 'test/calls', 'test/try', 'requests', 'assets'].flatMap((page): Try[] => [
      ['GET', `/dashboard/${page}/${inUrl}`],
      ['GET', `/dashboard/${page}/${inUrl}/more?next=${inUrl}&q=${inUrl}`],
    ]),
    ...[
      'test/search?q=',
      'test/charges?last_four=',
      'test/requests?key_id=',
      'test/audit?object=',
      'sign-in?next=',
    ].map((page) => ['GET', `/dashboard/${page}${inUrl}`] as const),
    ['GET', '/dashboard/test/palette', { headers: { 'x-ringkey-text': inUrl } }],
    ['POST', '/dashboard/sign-in', form('email', 'password', 'code')],
    ['POST', '/dashboard/sign-in', form('email', 'next', secret)],
    ['POST', '/dashboard/sign-in', json({ password: secret })],
    ['POST', '/dashboard/sign-in/passkey/answer', form('answer', 'credential')],
    ['POST', `/dashboard/invitation/${inUrl}`, form('password', 'code')],
    ['POST', '/dashboard/test/setup/keys/new', form('form_token', 'name')],
    ['GET', '/dashboard/sign-in/oidc/callback?'.concat(`code=${inUrl}&state=${inUrl}&error=${inUrl}`)],
    ['GET', `/p/${inUrl}`],
    ['POST', `/p/${inUrl}`, form('attempt', 'number', 'token')],
    ['GET', `/${inUrl}`],
    ['GET', `/%E0%A4%A/${inUrl}`],
  ];
}

/** Concurrent requests: fewer than the product has database connections, so that none has to wait. */
const AT_ONCE = 8;

/**
 * @param cookie of an owner @param key for REST requests without a key of their own @returns the statuses of the responses
 */
export async function tryEverywhere(
  baseUrl: string,
  secret: string,
  { cookie, key }: { cookie: string; key: string },
): Promise<number[]> {
  const send = async ([method, path, { headers = {}, body } = {}]: Try) => {
    const ours = path.startsWith('/dashboard') ? { cookie } : { authorization: `Bearer ${key}` };
    const answer = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...ours, ...headers },
      ...(body !== undefined && { body }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const tries = triesWith(secret);
  const statuses: number[] = [];
  while (tries.length > 0) statuses.push(...(await Promise.all(tries.splice(0, AT_ONCE).map(send))));
  return statuses;
}

/** How many objects of a kind are visited. Their pages are all rendered by the same code. */
const MOST_OF_A_KIND = 6;

/** Follows all links below `start`, to a limited number of objects of each kind. @returns the bodies by path */
export async function crawl(baseUrl: string, start: string, cookie: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const kinds = new Map<string, number>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const kind = path.replace(/[a-z]+_[a-z0-9]{20,}|\?.*$/g, '');
    const seen = kinds.get(kind) ?? 0;
    if (pages.has(path) || seen >= MOST_OF_A_KIND) continue;
    kinds.set(kind, seen + 1);
    const answer = await fetch(baseUrl + path, { headers: { cookie } });
    const html = await answer.text();
    pages.set(path, html);
    for (const [, href = ''] of html.matchAll(/href="([^"#]+)"/g)) {
      const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), baseUrl + path);
      if (pathname.startsWith(start)) waiting.push(pathname + search);
    }
  }
  return pages;
}

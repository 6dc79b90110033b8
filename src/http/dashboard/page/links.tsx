/** Links between objects, and short texts that name them: a card, a duration, a merchant. */
import { brandText } from '../../../domain/card.ts';
import type { Visit } from './visit.ts';
import { pageWords } from './words/index.ts';

export { durationText } from '../words/formats.ts';

/** Names a webhook endpoint: `example.com/hooks`. With the path, because several can be on one host. Without the query. */
export function endpointName(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}

const PATHS = {
  call: '/calls',
  checkout: '/checkouts',
  charge: '/charges',
  refund: '/refunds',
  dispute: '/disputes',
  payout: '/payouts',
  event: '/events',
  request: '/requests',
  merchant: '/setup/merchants',
} as const;

/** @param id null or empty if there is no object @param name shown instead of the ID, which is then the link's title */
export function ObjectLink({
  visit: { base, user },
  to,
  id,
  name,
}: {
  visit: Visit;
  to: keyof typeof PATHS;
  id: string | null | undefined;
  name?: string | null | undefined;
}) {
  if (!id) return <span class="quiet">{pageWords().none}</span>;
  // Limited users have no pages of settings and of requests.
  if (user.merchants !== null && (to === 'merchant' || to === 'request')) return <span>{name || id}</span>;
  return (
    <a href={`${base}${PATHS[to]}/${encodeURIComponent(id)}`} title={name ? id : undefined}>
      {name ? name : <span class="id">{id}</span>}
    </a>
  );
}

/** The page of a caller, within the mode. @param phone E.164 @param notice of that page */
export const callerPath = (phone: string, notice?: string) =>
  `/callers?${new URLSearchParams({ number: phone, ...(notice !== undefined && { notice }) })}`;

/** A link to the caller's page. @param text instead of the number */
export function CallerLink({ visit, phone, text }: { visit: Visit; phone: string | null; text?: string }) {
  if (phone === null) return null;
  return (
    <a
      class="number"
      href={visit.base + callerPath(phone)}
      aria-label={text === undefined ? undefined : pageWords().ofCaller(text, phone)}
    >
      {text ?? phone}
    </a>
  );
}

/** `Visa ···· 4242`, as far as known. */
interface ShownCard {
  brand: string | null;
  last_four: string | null;
  /** Only of a bank account. */
  payment_method?: 'us_bank_account' | undefined;
}

export function cardText({ brand, last_four, payment_method }: ShownCard): string {
  const w = pageWords();
  const name = payment_method === 'us_bank_account' ? w.bankAccount : (brandText(brand) ?? w.card);
  return last_four === null ? name : `${name} ···· ${last_four}`;
}

/** The same for rows that have no number, or only its end. The page finds it by the checkout. */
export function CheckoutCallerLink({ visit, checkout, text }: { visit: Visit; checkout: string; text: string }) {
  return (
    <a class="number" href={`${visit.base}/callers?checkout=${encodeURIComponent(checkout)}`}>
      {text}
    </a>
  );
}

/** @returns the ID if the merchant cannot be read */
export async function merchantName(visit: Visit, id: string): Promise<string> {
  const path = `/v1/merchants/${encodeURIComponent(id)}`;
  const answer = await visit.tryAsk<{ business_name: string }>({ path });
  return answer.ok ? answer.body.business_name : id;
}

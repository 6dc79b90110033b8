/** REST client for the operations around a call: create a checkout, read its session, list the caller's saved cards. */

import { DEMO_KEY } from '../../contract/demo.ts';

export interface Checkout {
  checkout_session_id: string;
  merchant_id: string;
  payment_required: string;
  transfer_to: string | null;
  transfer_to_number: string | null;
  transfer_code: string | null;
  agent_message: string;
}

interface CheckoutSession {
  charge: { status: string } | null;
}

export interface SavedCard {
  instrument_id: string;
  brand: string;
  last_four: string;
  /** `MM/YYYY`. */
  expiry: string;
}

/** The service returned an error or could not be reached. */
export class RestFailure extends Error {
  override readonly name = 'RestFailure';
}

const LIMIT_MS = 30_000;

async function callApi<T>(url: string, init: RequestInit = {}): Promise<T> {
  const headers = { Authorization: `Bearer ${DEMO_KEY}`, 'Content-Type': 'application/json' };
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(LIMIT_MS) }).catch(
    (error: Error) => {
      throw new RestFailure(`${url} can't be reached: ${error.message}`);
    },
  );
  const body = (await response.json()) as T & { error?: { code: string; message: string } };
  if (!response.ok) throw new RestFailure(`${response.status} ${body.error?.code}: ${body.error?.message}`);
  return body;
}

interface CheckoutRequest {
  merchant: string;
  amountCents: number;
  callerNumber: string;
  returnTo: string | null;
  /** Only holds the amount. */
  isHold?: boolean;
  /** The caller can also pay from a US bank account of this owner. */
  payerName?: string | null;
  /** Only saves the card. */
  savesOnly?: boolean;
}

const SAVE_ONLY = {
  purpose: 'save_card',
  save_terms: 'merchant_initiated',
  save_sentence: 'May we save this card, and charge up to 50 dollars if you do not come?',
  save_max_amount_cents: 5_000,
};

/** The merchant as a request parameter. A slug such as `demo-diner` stands for the id `mer_demo_diner`. */
function merchantParameter(who: string): { merchant_id: string } | { merchant_number: string } {
  return who.startsWith('+') ? { merchant_number: who } : { merchant_id: merchantIdOf(who) };
}

function merchantIdOf(slugOrId: string): string {
  return slugOrId.startsWith('mer_') ? slugOrId : `mer_${slugOrId.replaceAll('-', '_')}`;
}

export function createCheckout(baseUrl: string, request: CheckoutRequest): Promise<Checkout> {
  return callApi<Checkout>(`${baseUrl}/v1/create_checkout`, {
    method: 'POST',
    body: JSON.stringify({
      ...merchantParameter(request.merchant),
      ...(request.savesOnly ? SAVE_ONLY : { amount_cents: request.amountCents }),
      caller_phone: request.callerNumber,
      platform_call_id: `scripted-${Date.now()}`,
      ...(request.isHold && { capture: 'manual' }),
      ...(request.payerName != null && {
        payment_methods: ['card', 'us_bank_account'],
        payer_name: request.payerName,
      }),
      ...(request.returnTo === null ? {} : { return_to: request.returnTo }),
    }),
  });
}

/** Creates and connects the merchant of this slug unless it exists. @returns its ID */
export async function ensureMerchant(
  baseUrl: string,
  slug: string,
  {
    processor,
    tips,
    smallestPartCents,
  }: { processor: string; tips?: readonly number[] | undefined; smallestPartCents?: number | undefined },
): Promise<string> {
  const post = <T>(path: string, body: object) =>
    callApi<T>(`${baseUrl}/v1/merchants${path}`, { method: 'POST', body: JSON.stringify(body) });
  // If another call has created it in the meantime, this finds it.
  const id =
    (await findMerchant(baseUrl, slug)) ??
    (await post<{ merchant_id: string }>('', {
      business_name: nameOf(slug),
      slug,
      ...(tips !== undefined && { tip_percentages: tips }),
      ...(smallestPartCents !== undefined && { partial_minimum_cents: smallestPartCents }),
    })
      .then(({ merchant_id: made }) => made)
      .catch(async (error: unknown) => {
        const found = await findMerchant(baseUrl, slug);
        if (found === null) throw error;
        return found;
      }));
  await post(`/${id}/processor`, { processor });
  return id;
}

async function findMerchant(baseUrl: string, slug: string): Promise<string | null> {
  const { merchants } = await callApi<{ merchants: { merchant_id: string; slug: string }[] }>(
    `${baseUrl}/v1/merchants?limit=100`,
  );
  return merchants.find((merchant) => merchant.slug === slug)?.merchant_id ?? null;
}

/** `demo-kiosk` becomes Demo Kiosk. */
function nameOf(slug: string): string {
  const words = slug.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join(' ');
}

/** Has the pay link texted to the caller. @returns the link */
export async function sendLink(baseUrl: string, sessionId: string): Promise<string> {
  const body = JSON.stringify({ checkout_session_id: sessionId });
  return (await callApi<{ pay_url: string }>(`${baseUrl}/v1/send_link`, { method: 'POST', body })).pay_url;
}

export function readSession(baseUrl: string, id: string): Promise<CheckoutSession> {
  return callApi<CheckoutSession>(`${baseUrl}/v1/checkout_sessions/${id}`);
}

/**
 * Saves a card of the sandbox, by its name, for the caller at the merchant (slug or ID). The same card is saved only
 * once.
 */
export async function saveCard(baseUrl: string, merchant: string, callerNumber: string, card: string): Promise<void> {
  const body = JSON.stringify({
    merchant_id: merchantIdOf(merchant),
    caller_phone: callerNumber,
    token: `tok_${card}`,
  });
  await callApi(`${baseUrl}/v1/cards`, { method: 'POST', body });
}

/** The caller's chargeable cards at the merchant, newest first. */
export async function readCards(baseUrl: string, merchantId: string, callerNumber: string): Promise<SavedCard[]> {
  const query = new URLSearchParams({ merchant_id: merchantId, caller_phone: callerNumber });
  return (await callApi<{ cards: SavedCard[] }>(`${baseUrl}/v1/cards?${query}`)).cards;
}

/** Objects and answers of the fake Braintree (github.com/braintree/graphql-api, schema.graphql). */
import type { z } from 'zod';
import { ASKED, type LEGACY_IDS, MERCHANT_ACCOUNT } from './fake-braintree-requests.ts';
import type { Fault } from './fake-vendor-server.ts';

export interface Event {
  status: string;
  authorizationExpiresAt?: string;
  processorResponse?: { legacyCode: string };
  gatewayRejectionReason?: string;
  duplicateOf?: { id: string } | null;
}

export interface Refund {
  id: string;
  orderId: string;
  status: string;
  createdAt: string;
  amount: { value: string; currencyCode: string };
}

export interface FakeTransaction {
  id: string;
  orderId: string;
  status: string;
  createdAt: string;
  amount: { value: string; currencyCode: string };
  number: string;
  voidedAt: string | null;
  method: string | null;
  statusHistory: Event[];
  refunds: Refund[];
}

/** An error of the whole operation. */
export class Refusal extends Error {
  readonly errorClass: string;
  readonly legacyCode: string | undefined;
  constructor(errorClass: string, legacyCode?: string) {
    super(errorClass);
    this.errorClass = errorClass;
    this.legacyCode = legacyCode;
  }
}

const TAKEN = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLED'];

export const globalOf = ({ legacyId, type }: z.output<typeof LEGACY_IDS>['ids'][number]) =>
  Buffer.from(`${type.toLowerCase()}_${legacyId}`).toString('base64url');

export interface Answer {
  data: object;
  fault?: Fault;
}

export const named = (field: string, { fault, ...payload }: { fault?: Fault; transaction: object | null }): Answer => ({
  data: { [field]: payload },
  ...(fault !== undefined && { fault }),
});

export const isApproved = ({ status }: FakeTransaction) => ['AUTHORIZED', 'VOIDED', ...TAKEN].includes(status);

export const facts = (number: string) => ({
  brandCode: 'VISA',
  last4: number.slice(-4),
  expirationMonth: '11',
  expirationYear: '2049',
  uniqueNumberIdentifier: `F${number.slice(-4)}`,
});

export const methodOf = (id: string, number: string) => ({ id, usage: 'MULTI_USE', details: facts(number) });

export function isWithin(
  span: { greaterThanOrEqualTo: string; lessThanOrEqualTo: string } | undefined,
  at: string | null,
) {
  if (span === undefined) return true;
  return at !== null && at >= span.greaterThanOrEqualTo && at <= span.lessThanOrEqualTo;
}

/** Two items a page, so that each list has several. */
const PAGE = 2;

export function pageOf(items: readonly object[], after: string | null | undefined): object {
  // FindCharge asks for its first ten only.
  const size = after === undefined ? 10 : PAGE;
  const start = Number(after ?? 0);
  const end = start + size;
  return {
    edges: items.slice(start, end).map((node) => ({ node })),
    pageInfo: { hasNextPage: end < items.length, endCursor: String(end) },
  };
}

export function accountsOf(input: unknown): object {
  const { is } = ASKED.parse(input).id;
  const node = { id: MERCHANT_ACCOUNT, currencyCode: 'USD', status: 'ACTIVE' };
  return { edges: is === MERCHANT_ACCOUNT ? [{ node }] : [] };
}

/** Verifies the SIP headers with which a caller returns, and reads the outcome from them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureVerificationError } from './errors.ts';
import { type GivenHeaders, headerReader, isRecent } from './headers.ts';

export interface CallOutcome {
  outcome: 'succeeded' | 'failed' | 'pending' | 'canceled' | 'expired' | 'agent';
  checkoutSessionId: string;
  chargeId: string | null;
  amountCents: number | null;
  currency: string | null;
  orderId: string | null;
  declineCode: string | null;
  platformCallId: string | null;
  /** Why it failed, or what was sent. Not signed. */
  reason: string | null;
}

export interface SipHeadersToVerify {
  /** Of the INVITE or REFER, or the URI headers of `Refer-To`. Raw values. */
  headers: GivenHeaders;
  /** The account's header signing secret, base64. */
  secret: string;
  /** For tests. */
  now?: Date;
}

/** The signed headers after `x-ringkey-`, in signing order, each with its letter in User-to-User. */
const SIGNED = {
  outcome: 'o',
  session: 's',
  charge: 'c',
  amount: 'a',
  currency: 'u',
  order: 'r',
  'decline-code': 'd',
  call: 'i',
} as const;
type SignedName = keyof typeof SIGNED;

/** Raw values, empty if absent. */
interface RawOutcome {
  values: Record<SignedName, string>;
  reason: string;
  signature: string;
}

/**
 * The outcome of a returned call, from the `X-Ringkey-` headers, or from `User-to-User` if there are none.
 * @throws SignatureVerificationError if they are not from Ringkey, or older than five minutes
 */
export function verifySipHeaders({ headers, secret, now = new Date() }: SipHeadersToVerify): CallOutcome {
  const header = headerReader(headers);
  const { values, reason, signature } =
    header('x-ringkey-outcome') === '' ? fromUserToUser(header('user-to-user')) : fromHeaders(header);
  const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (!isRecent(t, now)) throw new SignatureVerificationError('The SIP headers are too old, or have no signature.');
  const key = Buffer.from(secret, 'base64');
  if (key.length === 0) throw new TypeError("secret must be the account's header signing secret.");
  const lines = [t, ...namesOfSigned().map((name) => values[name])];
  const expected = createHmac('sha256', key).update(lines.join('\n')).digest();
  if (!timingSafeEqual(expected, Buffer.from(v1, 'hex'))) {
    throw new SignatureVerificationError('The SIP headers have no valid signature.');
  }
  return outcomeOf(values, reason);
}

const namesOfSigned = () => Object.keys(SIGNED) as SignedName[];

const valuesBy = (read: (name: SignedName) => string) =>
  Object.fromEntries(namesOfSigned().map((name) => [name, read(name)])) as Record<SignedName, string>;

function fromHeaders(header: (name: string) => string): RawOutcome {
  return {
    values: valuesBy((name) => header(`x-ringkey-${name}`)),
    reason: header('x-ringkey-reason'),
    signature: header('x-ringkey-signature'),
  };
}

/** RFC 7433: hex of the same facts, for carriers that drop X- headers. */
function fromUserToUser(value: string): RawOutcome {
  const hex = /^((?:[0-9a-f]{2})+)\s*;.*\bencoding=hex\b/i.exec(value)?.[1] ?? '';
  const pairs = Buffer.from(hex, 'hex').toString('latin1').split('&');
  const facts = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const read = (letter: string) => facts.get(letter) ?? '';
  return {
    values: valuesBy((name) => read(SIGNED[name])),
    reason: read('w'),
    signature: `t=${read('t')},v1=${read('v1')}`,
  };
}

function outcomeOf(values: Record<SignedName, string>, reason: string): CallOutcome {
  const read = (name: SignedName) => (values[name] === '' ? null : decodeURIComponent(values[name]));
  const amount = read('amount');
  return {
    outcome: read('outcome') as CallOutcome['outcome'],
    checkoutSessionId: read('session') ?? '',
    chargeId: read('charge'),
    amountCents: amount === null ? null : Number(amount),
    currency: read('currency'),
    orderId: read('order'),
    declineCode: read('decline-code'),
    platformCallId: read('call'),
    reason: /^\w+$/.test(reason) ? reason : null,
  };
}

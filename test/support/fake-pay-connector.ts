/**
 * A fake pay connector: takes the request that Twilio's tutorial on its Generic Pay Connector logs, and answers in its
 * format (twilio.com/docs/voice/tutorials/how-to-capture-payment-during-a-voice-call-generic-pay-connector). Its lookup is
 * what our documentation asks for. Other requests are recorded in `violations`.
 */
import { z } from 'zod';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const CONNECTOR_LOGIN = { username: 'my_connector_username', password: 'testing123' };

/** Published test numbers by outcome. */
export const CARDS = {
  good: '4111111111111111',
  noMoney: '378282246310005',
  unanswered: '6011111111111117',
  lost: '3566002020360505',
  broken: '5555555555554444',
} as const;

const CHARGE = z.strictObject({
  transaction_id: z.string().min(1).max(64),
  method: z.literal('charge'),
  cardnumber: z.string().regex(/^\d{13,19}$/),
  cvv: z.string().regex(/^\d{3,4}$/),
  expiry_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
  expiry_year: z.string().regex(/^\d\d$/),
  postal_code: z.string().optional(),
  amount: z.string().regex(/^\d+(\.\d{2})?$/),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  description: z.string(),
  parameters: z.record(z.string(), z.string()),
});

interface Answered {
  charge_id: string | null;
  error_code: string | null;
  error_message: string | null;
}

export interface FakePayConnector extends FakeVendor {
  /** What was answered, by transaction ID. */
  transactions: Map<string, Answered>;
}

export async function startFakePayConnector(): Promise<FakePayConnector> {
  const transactions = new Map<string, Answered>();
  const violations: string[] = [];
  const server = await startFakeVendorServer((request) => answer(request, transactions, violations));
  const countPayments = (id: string) => (transactions.get(id)?.charge_id == null ? 0 : 1);
  return Object.assign({ transactions, violations, countPayments }, server);
}

const AUTHORIZATION = `Basic ${Buffer.from(`${CONNECTOR_LOGIN.username}:${CONNECTOR_LOGIN.password}`).toString('base64')}`;

function answer(request: VendorRequest, transactions: Map<string, Answered>, violations: string[]): VendorReply {
  if (request.headers.authorization !== AUTHORIZATION) return { status: 401, body: { error: 'unauthorized' } };
  if (request.method === 'GET') return lookUp(request, transactions);
  if (request.path !== '/pay' || request.headers['content-type'] !== 'application/json') violations.push(request.path);
  const { success, data, error } = CHARGE.safeParse(JSON.parse(request.body));
  if (!success) {
    violations.push(error.message);
    return { status: 400, body: { error: 'bad request' } };
  }
  if (data.cardnumber === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
  const earlier = transactions.get(data.transaction_id);
  const answered = earlier ?? outcomeOf(data.cardnumber, transactions.size);
  transactions.set(data.transaction_id, answered);
  const fault = FAULTS[data.cardnumber];
  return { status: 200, body: answered, ...(fault !== undefined && { fault }) };
}

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };

const outcomeOf = (number: string, count: number): Answered =>
  number === CARDS.noMoney
    ? { charge_id: null, error_code: 'insufficient_funds', error_message: `Card ${number} was declined` }
    : { charge_id: `charge_${count + 1}`, error_code: null, error_message: null };

function lookUp({ path, query }: VendorRequest, transactions: Map<string, Answered>): VendorReply {
  if (path !== '/charges') return { status: 200, body: { hello: 'a browser' } };
  const id = query.get('transaction_id') ?? '';
  const found = transactions.get(id);
  if (found === undefined) return { status: 200, body: { transaction_id: id, status: 'not_found' } };
  const status = found.charge_id === null ? 'failed' : 'succeeded';
  return { status: 200, body: { transaction_id: id, status, ...found } };
}

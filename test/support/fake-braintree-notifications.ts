/**
 * Braintree's notifications, signed as it signs them (github.com/braintree/braintree_node, lib/braintree/digest.js and
 * webhook_testing_gateway.js, whose samples these are), and the short IDs that they contain.
 */
import { createHash, createHmac } from 'node:crypto';
import { PRIVATE_KEY, PUBLIC_KEY } from './fake-braintree-requests.ts';

/** The fake's global IDs are Base64 of a type and the short ID. */
export const legacyId = (globalId: string) => Buffer.from(globalId, 'base64url').toString().split('_').at(-1) ?? '';

interface Notice {
  kind: string;
  /** XML. */
  subject: string;
  timestamp?: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface NotifiedTransaction {
  id: string;
  /** Null: it has none. Absent: the notification does not say. */
  orderId?: string | null;
  status?: string;
}

export function transactionXml({ id, orderId, status = 'settled' }: NotifiedTransaction): string {
  const order = orderId === undefined ? '' : orderXml(orderId);
  return `<transaction>
  <id>${id}</id>
  <status>${status}</status>
  <type>sale</type>
  <currency-iso-code>USD</currency-iso-code>
  <amount>100</amount>
  ${order}
</transaction>`;
}

const orderXml = (orderId: string | null) =>
  orderId === null ? '<order-id nil="true"/>' : `<order-id>${escaped(orderId)}</order-id>`;

export const disputeXml = (id: string, transaction: NotifiedTransaction) => `<dispute>
  <amount>250.00</amount>
  <amount-disputed>250.0</amount-disputed>
  <amount-won>245.00</amount-won>
  <currency-iso-code>USD</currency-iso-code>
  <received-date type="date">2014-03-01</received-date>
  <reply-by-date type="date">2014-03-21</reply-by-date>
  <kind>chargeback</kind>
  <status>open</status>
  <reason>fraud</reason>
  <id>${id}</id>
  ${transactionXml(transaction)}
  <date-opened type='date'>2014-03-28</date-opened>
</dispute>`;

/** The body of the request. @param privateKey of the API key that signs it */
export function braintreeNotification(
  { kind, subject, timestamp = '2026-11-26T10:00:00Z' }: Notice,
  privateKey = PRIVATE_KEY,
): string {
  const xml = `<notification>
    <timestamp type="datetime">${timestamp}</timestamp>
    <kind>${kind}</kind>
    <subject>${subject}</subject>
</notification>`;
  const payload = `${Buffer.from(xml).toString('base64')}\n`;
  return signedForm(payload, signatureOf(payload, privateKey));
}

export const signedForm = (payload: string, signature: string) =>
  new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString();

/** With another API key of the account first, as Braintree signs with all of them. */
function signatureOf(payload: string, privateKey: string): string {
  const hmac = (key: string) =>
    createHmac('sha1', createHash('sha1').update(key).digest()).update(payload).digest('hex');
  return `another0public0k|${hmac('0'.repeat(32))}&${PUBLIC_KEY}|${hmac(privateKey)}`;
}

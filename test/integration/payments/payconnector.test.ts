/** The adapter for pay connectors, against a fake connector on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPayConnector } from '../../../src/payments/payconnector/index.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import {
  CARDS,
  CONNECTOR_LOGIN,
  type FakePayConnector,
  startFakePayConnector,
} from '../../support/fake-pay-connector.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { connectorCredentialsAt, payConnectorProcessor } from '../../support/vendor-processors.ts';
import { chargesAt, keyed } from './vendor-charges.ts';

processorContract(
  'payconnector',
  async () => {
    const fake = await startFakePayConnector();
    return {
      ...fakeUnderTest(fake, CARDS, keyed),
      processor: payConnectorProcessor(),
      credentials: connectorCredentialsAt(fake),
      wrongCredentials: { ...connectorCredentialsAt(fake), password: 'wrong' },
    };
  },
  { chargesOnly: true },
);

describe('payconnector', () => {
  let fake: FakePayConnector;
  beforeAll(async () => {
    fake = await startFakePayConnector();
  });
  afterAll(() => fake.close());
  afterEach(() => expect(fake.violations).toEqual([]));

  const { request, charge, lookUp } = chargesAt(
    () => payConnectorProcessor(),
    () => connectorCredentialsAt(fake),
    CARDS.good,
  );

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: payConnectorProcessor(),
    refundIs: 'succeeded',
    request: () => request(),
  }));

  it('sends the request of a Generic Pay Connector', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({
      status: 'succeeded',
      processorPaymentId: expect.stringMatching(/^charge_/),
    });
    const sent = fake.requests.at(-1);
    expect(sent?.headers.authorization).toBe(
      `Basic ${btoa(`${CONNECTOR_LOGIN.username}:${CONNECTOR_LOGIN.password}`)}`,
    );
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      transaction_id: of.chargeId,
      method: 'charge',
      cardnumber: CARDS.good,
      cvv: '987',
      expiry_month: '04',
      expiry_year: '31',
      postal_code: '94105',
      amount: '12.34',
      currency_code: 'EUR',
      description: 'order 7',
      parameters: { checkout_session_id: of.sessionId, order_id: 'order 7' },
    });
  });

  it.each([
    [
      { charge_id: 'c_1', error_code: null, error_message: null },
      { status: 'succeeded', processorPaymentId: 'c_1' },
    ],
    [
      { charge_id: 77, error_code: '' },
      { status: 'succeeded', processorPaymentId: '77' },
    ],
    [
      { charge_id: null, error_code: 'EXPIRED_CARD' },
      { status: 'declined', declineCode: 'expired_card' },
    ],
    [
      { charge_id: null, error_code: 51 },
      { status: 'declined', declineCode: 'generic_decline', processorCode: '51' },
    ],
    [{ charge_id: 'c_1', error_code: 'late' }, { status: 'unknown' }],
    [{ charge_id: null, error_code: null }, { status: 'unknown' }],
    [[], { status: 'unknown' }],
  ])('understands %j', async (body, expected) => {
    fake.answerNext({ status: 200, body });
    expect(await charge(request())).toMatchObject(expected);
  });

  it.each([301, 400, 403, 404, 409, 422, 429, 500, 503])('%i: the outcome is unknown, asked once', async (status) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body: { charge_id: null, error_code: 'declined' }, headers: { location: '/pay' } });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: `http_${status}` });
    expect(fake.requests).toHaveLength(before + 1);
  });

  it('does not read an answer that is too long', async () => {
    fake.answerNext({ status: 200, body: { charge_id: 'c_1', error_code: null, note: 'x'.repeat(256 * 1024) } });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'connection' });
  });

  it('takes an answer that changes the protocol for a broken connection', async () => {
    fake.answerNext({ status: 101, body: {}, headers: { connection: 'upgrade', upgrade: 'h2c' } });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'connection' });
  });

  it('sends only published test cards in test mode, and every card in live mode', async () => {
    const before = fake.requests.length;
    expect(await charge(request(keyed('4000056655665556')))).toMatchObject({
      status: 'declined',
      declineCode: 'card_not_supported',
    });
    expect(fake.requests).toHaveLength(before);
    expect(await charge(request(keyed('4000056655665556'), { mode: 'live' }))).toMatchObject({ status: 'succeeded' });
  });

  it('leaves the outcome of a lost charge open without a lookup URL', async () => {
    const { lookup_url: _, ...credentials } = connectorCredentialsAt(fake);
    const of = request(keyed(CARDS.broken), { credentials: secretCredentials(credentials) });
    expect(await charge(of)).toMatchObject({ status: 'unknown' });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'no_lookup_url' });
    expect(await lookUp({ ...of, chargeId: request().chargeId })).toEqual({
      status: 'unknown',
      cause: 'no_lookup_url',
    });
  });

  it.each([
    ['a 404 of another server', { status: 404, body: { status: 'not_found' } }],
    ['another transaction', { status: 200, body: { transaction_id: 'ch_other', status: 'not_found' } }],
    ['no status', { status: 200, body: { transaction_id: 'same' } }],
  ])('does not take %s for a missing charge', async (_what, reply) => {
    fake.answerNext(reply);
    expect(await lookUp(request())).toMatchObject({ status: 'unknown' });
  });

  it('waits while the connector still works on the charge', async () => {
    const of = request();
    fake.answerNext({ status: 200, body: { transaction_id: of.chargeId, status: 'pending' } });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'pending' });
  });

  it('passes on no card number from an error message', async () => {
    const of = request(keyed(CARDS.noMoney));
    expect(JSON.stringify([await charge(of), await lookUp(of)])).not.toContain(CARDS.noMoney);
  });

  it('tests the login without a lookup URL, too', async () => {
    const { lookup_url: _, ...credentials } = connectorCredentialsAt(fake);
    const check = (password: string) =>
      payConnectorProcessor().checkConnection(
        'test',
        secretCredentials({ ...credentials, password }),
        requestTimeout(),
      );
    expect(await check(CONNECTOR_LOGIN.password)).toEqual({ status: 'ok' });
    expect(await check('wrong')).toEqual({ status: 'invalid' });
  });

  it.each([
    ['https://pay.example.com/charge', true],
    ['http://pay.example.com/charge', false],
    ['https://127.0.0.1/charge', false],
    ['https://10.1.2.3/charge', false],
    ['https://[::1]/charge', false],
    ['https://localhost/charge', false],
    ['https://user:secret@pay.example.com/', false],
    ['ftp://pay.example.com/', false],
    ['pay.example.com', false],
  ])('%s is accepted: %s', (url, isAccepted) => {
    const schema = createPayConnector().credentialsSchema('live');
    expect(schema.safeParse({ url, ...CONNECTOR_LOGIN }).success).toBe(isAccepted);
    expect(schema.safeParse({ url: 'https://pay.example.com/', lookup_url: url, ...CONNECTOR_LOGIN }).success).toBe(
      isAccepted,
    );
  });
});

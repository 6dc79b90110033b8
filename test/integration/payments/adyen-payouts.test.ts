/** Payouts at Adyen: the settlement details report that a notification names, downloaded from its fake on loopback. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createAdyen } from '../../../src/payments/adyen/index.ts';
import type { NotifiedOutcomes } from '../../../src/payments/adyen/outcomes.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { adyenReport, adyenRow } from '../../support/adyen-report.ts';
import { type FakeAdyen, signedNotification, startFakeAdyen } from '../../support/fake-adyen.ts';
import { MERCHANT_ACCOUNT, REPORT_API_KEY } from '../../support/fake-adyen-requests.ts';
import { ADYEN_CREDENTIALS } from '../../support/vendor-processors.ts';

const NEVER = new AbortController().signal;
const NO_OUTCOMES: NotifiedOutcomes = { of: async () => [], chargeOf: async () => null };
const CREDENTIALS = { ...ADYEN_CREDENTIALS, report_api_key: REPORT_API_KEY };

let fake: FakeAdyen;
let adyen: Processor;
beforeAll(async () => {
  fake = await startFakeAdyen(() => undefined);
  adyen = createAdyen({ outcomes: NO_OUTCOMES, testServer: fake.url });
});
afterAll(() => fake.close());

function read(report?: string, credentials: PlainCredentials = CREDENTIALS, payoutId = '12') {
  fake.reports.clear();
  if (report !== undefined) fake.reports.set('settlement_detail_report_batch_12.csv', report);
  return adyen.payouts?.read({ mode: 'test', credentials: secretCredentials(credentials), payoutId }, NEVER);
}

/** The first two are the documentation's examples. */
const SETTLED = adyenRow({
  psp: '1813702551707653',
  type: 'Settled',
  reference: '1713702551795048',
  gross: ['GBP', '', '5.00'],
  net: ['GBP', '', '4.88'],
  costs: ['', '0.04', '0.01', '0.07'],
});
const CHARGEBACK = adyenRow({
  psp: '1313642467023511',
  type: 'Chargeback',
  reference: '2313642467170922',
  gross: ['GBP', '349.99', ''],
  net: ['GBP', '357.49', ''],
  costs: ['', '7.5', '', ''],
});
const IN_EUROS = adyenRow({
  psp: 'QFQTPCQ8HXSKGK82',
  type: 'Settled',
  reference: 'DZ4DPSHB4WD2WN82',
  gross: ['EUR', '', '500.00'],
  net: ['GBP', '', '420.10'],
  costs: ['2.041', '0.509', '', ''],
});
const REFUNDED = adyenRow({
  psp: '1813702551707653',
  type: 'Refunded',
  reference: 'ABCDEFGH12345678',
  gross: ['GBP', '2.00', ''],
  net: ['GBP', '2.10', ''],
  costs: ['0.1', '', '', ''],
});
const FEE = adyenRow({ type: 'Fee', reference: 'Transaction Fees, "May" 2026', net: ['GBP', '0.35', ''] });
const MOVED = adyenRow({ type: 'Balancetransfer', net: ['GBP', '', '10'] });
const ROWS = [SETTLED, CHARGEBACK, IN_EUROS, REFUNDED, FEE, MOVED];
/** 4.88 − 357.49 + 420.10 − 2.10 − 0.35 + 10 */
const payout = (amount: string) =>
  adyenRow({
    type: 'MerchantPayout',
    reference: 'TX900001799XT',
    net: ['GBP', amount, ''],
    created: '2026-11-25 04:12:31',
  });
const PAYOUT = payout('75.04');

describe('a payout at Adyen', () => {
  it('is read from the report of its batch, with the fee of each payment', async () => {
    const answer = await read(adyenReport([...ROWS, PAYOUT]));
    if (answer?.status !== 'found') throw new Error(JSON.stringify(answer));
    const { entries, ...facts } = answer.payout;
    expect(facts).toEqual({ status: 'paid', amountCents: 7_504, currency: 'GBP', arrivalDate: '2026-11-25' });
    const shown = entries.map(({ kind, paymentId, grossCents, feeCents, netCents }) =>
      [kind, paymentId, grossCents, feeCents, netCents].join(' '),
    );
    expect(shown).toEqual([
      'charge 1813702551707653 500 12 488',
      'dispute 1313642467023511 -34999 750 -35749',
      'charge QFQTPCQ8HXSKGK82 42265 255 42010',
      'refund 1813702551707653 -200 10 -210',
      'fee  -35 0 -35',
      'other  1000 0 1000',
    ]);
    expect(new Set(entries.map(({ processorEntryId }) => processorEntryId)).size).toBe(entries.length);
    expect(fake.requests.at(-1)?.path).toBe(
      `/reports/download/MerchantAccount/${MERCHANT_ACCOUNT}/settlement_detail_report_batch_12.csv`,
    );
  });

  it('is read with a byte order mark, line breaks of Windows and columns in another order', async () => {
    const report = adyenReport([SETTLED, payout('4.88')]);
    const reordered = report.split('\n').map((line) => line.split(',').reverse().join(','));
    expect(await read(`\uFEFF${reordered.join('\r\n')}`)).toMatchObject({
      status: 'found',
      payout: { amountCents: 488 },
    });
  });

  it('has entry IDs that can be stored, without digits that could look like a card number', async () => {
    const card = adyenRow({ type: 'Sett led', reference: '4242424242424242', net: ['GBP', '', '4.88'] });
    const answer = await read(adyenReport([card, payout('4.88')]));
    expect(answer).toMatchObject({ payout: { entries: [{ processorEntryId: 'Settled:ecececececececec:0' }] } });
  });

  it('is negative if Adyen debits the merchant', async () => {
    const debit = adyenRow({ type: 'MerchantPayout', net: ['GBP', '', '357.49'], created: '2026-11-25 04:12:31' });
    expect(await read(adyenReport([CHARGEBACK, debit]))).toMatchObject({ payout: { amountCents: -35_749 } });
  });

  it.each([
    ['sums_differ', adyenReport([...ROWS, payout('75.05')])],
    ['not_exact', adyenReport([adyenRow({ type: 'Settled', net: ['GBP', '', '4.885'] }), payout('4.88')])],
    ['unreadable', adyenReport([adyenRow({ type: 'Settled', net: ['EUR', '', '4.88'] }), payout('4.88')])],
    ['unreadable', adyenReport([adyenRow({ type: 'Settled', net: ['GBP', '', '4,88'] }), payout('4.88')])],
    ['unreadable', adyenReport([PAYOUT, PAYOUT, ...ROWS])],
    ['unreadable', adyenReport([...ROWS, PAYOUT]).slice(0, -40)],
    ['unreadable', '<html><title>Log in</title></html>'],
    ['unreadable', ''],
    ['answer_to_another', adyenReport([...ROWS, PAYOUT]).replaceAll(',12,', ',13,')],
    ['answer_to_another', adyenReport([...ROWS, PAYOUT]).replace(MERCHANT_ACCOUNT, 'AnotherMerchant')],
  ])('is unknown (%s) rather than guessed, so that it is read again', async (cause, report) => {
    expect(await read(report)).toEqual({ status: 'unknown', cause });
  });

  it.each(['reset', 'html_500', 'garbage', 'half_sent'] as const)('is unknown after the fault %s', async (fault) => {
    fake.failNext(fault);
    expect(await read(adyenReport([...ROWS, PAYOUT]))).toMatchObject({ status: 'unknown' });
  });

  it('is unknown if the key for reports is rejected', async () => {
    const credentials = { ...CREDENTIALS, report_api_key: ADYEN_CREDENTIALS.api_key };
    expect(await read(adyenReport([...ROWS, PAYOUT]), credentials)).toEqual({
      status: 'unknown',
      cause: 'credentials',
    });
  });

  it('is not found if the batch was not paid out, does not exist, or the merchant has no key for reports', async () => {
    const moved = adyenRow({ type: 'Balancetransfer', net: ['GBP', '4.88', ''] });
    expect(await read(adyenReport([SETTLED, moved]))).toEqual({ status: 'not_found' });
    expect(await read()).toEqual({ status: 'not_found' });
    const before = fake.requests.length;
    expect(await read(adyenReport([...ROWS, PAYOUT]), ADYEN_CREDENTIALS)).toEqual({ status: 'not_found' });
    expect(await read(adyenReport([...ROWS, PAYOUT]), CREDENTIALS, '../../etc')).toEqual({ status: 'not_found' });
    expect(fake.requests.length).toBe(before);
  });
});

test('a report notification of Adyen names the payout, if the report is about one', () => {
  const told = (pspReference: string, success = 'true') => {
    const item = {
      amount: { currency: 'EUR', value: 0 },
      eventCode: 'REPORT_AVAILABLE',
      merchantAccountCode: MERCHANT_ACCOUNT,
      merchantReference: '',
      pspReference,
      reason: `https://attacker.example/${pspReference}`,
      success,
    };
    return adyen.notifications?.read(JSON.parse(signedNotification(item)), 'test')?.subject;
  };
  const subject = { paymentId: null, chargeId: null, disputeId: null, payoutId: '12' };
  expect(told('settlement_detail_report_batch_12.csv')).toEqual(subject);
  expect(told('settlement_detail_report_batch_12.csv', 'false')).toBeNull();
  for (const other of ['payments_accounting_report_2026_11_25.csv', 'settlement_detail_report_batch_12.xlsx']) {
    expect(told(other)).toBeNull();
  }
});

test('Adyen reads no payouts without notifications, which name the reports', () => {
  expect(createAdyen({ outcomes: null }).payouts).toBeUndefined();
});

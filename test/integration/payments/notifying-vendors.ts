/** Vendors that notify of charges: their fakes, merchants who are connected to them, and what the worker does. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { takeNotification } from '../../../src/accounts/merchants/take-notification.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import type { Database } from '../../../src/db/pool.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import type { PlainCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { CredentialsFor } from '../../../src/payments/shared/deps.ts';
import { type FakeBraintree, startFakeBraintree } from '../../support/fake-braintree.ts';
import { CARDS } from '../../support/fake-braintree-cards.ts';
import { braintreeNotification, legacyId, transactionXml } from '../../support/fake-braintree-notifications.ts';
import { PRIVATE_KEY } from '../../support/fake-braintree-requests.ts';
import {
  type FakeHyperswitch,
  CARDS as HYPERSWITCH_CARDS,
  hyperswitchEvent,
  startFakeHyperswitch,
} from '../../support/fake-hyperswitch.ts';
import type { FakeVendor } from '../../support/fake-vendor-server.ts';
import {
  type FakeWorldpay,
  startFakeWorldpay,
  CARDS as WORLDPAY_CARDS,
  worldpayEvent,
} from '../../support/fake-worldpay.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  BRAINTREE_CREDENTIALS,
  braintreeProcessorAt,
  hyperswitchCredentialsAt,
  hyperswitchProcessor,
  WORLDPAY_CREDENTIALS,
  worldpayProcessorAt,
} from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';

const NEVER = new AbortController().signal;

interface Sent {
  body: string;
  headers?: Record<string, string>;
}

/** A vendor, and how it notifies. */
export interface Source {
  processor: Processor;
  credentials: PlainCredentials;
  card: string;
  secret: string;
  /** Of another merchant, who knows it and can sign whatever it likes for its own address. */
  otherSecret: string;
  loseNextCharge(): void;
  /** Notifies of a charge's payment, which has settled. */
  settled(chargeId: string, secret: string): Sent;
  /** The same notification with another content, and the signature of the first. */
  forge(sent: Sent): Sent;
}

interface Fakes {
  braintree: FakeBraintree;
  worldpay: FakeWorldpay;
  hyperswitch: FakeHyperswitch;
}

export function transactionOf({ transactions }: FakeBraintree, chargeId: string) {
  const found = transactions.find(({ orderId }) => orderId.startsWith(chargeId));
  if (found === undefined) throw new Error('no transaction');
  return { id: legacyId(found.id), globalId: found.id, orderId: found.orderId };
}

/** At Hyperswitch. */
export const paymentIdOf = (chargeId: string) => `pay_${chargeId.slice('ch_'.length)}`;

const SOURCES: Readonly<Record<keyof Fakes, (fakes: Fakes) => Source>> = {
  braintree: ({ braintree }) => ({
    processor: braintreeProcessorAt(braintree),
    credentials: BRAINTREE_CREDENTIALS,
    card: CARDS.good,
    secret: PRIVATE_KEY,
    otherSecret: 'ab'.repeat(16),
    loseNextCharge: () =>
      braintree.failNext('reset', undefined, ({ body }) => body.startsWith('{"query":"mutation ChargeCard(')),
    settled: (chargeId, secret) => {
      const subject = transactionXml(transactionOf(braintree, chargeId));
      return { body: braintreeNotification({ kind: 'transaction_settled', subject }, secret) };
    },
    forge: ({ body }) => {
      const form = new URLSearchParams(body);
      const xml = Buffer.from(form.get('bt_payload') ?? '', 'base64').toString();
      const forged = xml.replace('<kind>transaction_settled<', '<kind>transaction_settlement_declined<');
      form.set('bt_payload', `${Buffer.from(forged).toString('base64')}\n`);
      return { body: form.toString() };
    },
  }),
  worldpay: ({ worldpay }) => ({
    processor: worldpayProcessorAt(worldpay),
    credentials: WORLDPAY_CREDENTIALS,
    card: WORLDPAY_CARDS.good,
    secret: 'a-shared-secret-of-worldpay',
    otherSecret: 'a-shared-secret-of-another-merchant',
    loseNextCharge: () => worldpay.failNext('reset', undefined, ({ method }) => method === 'POST'),
    settled: (chargeId, secret) => {
      const about = { transactionReference: chargeId, type: 'sentForSettlement' };
      return worldpayEvent(`settled ${chargeId}`, about, secret);
    },
    forge: ({ body, ...sent }) => ({ ...sent, body: body.replace('sentForSettlement', 'cancelled') }),
  }),
  hyperswitch: ({ hyperswitch }) => ({
    processor: hyperswitchProcessor(),
    credentials: hyperswitchCredentialsAt(hyperswitch),
    card: HYPERSWITCH_CARDS.good,
    secret: 'the-payment-response-hash-key-of-a-profile',
    otherSecret: 'the-payment-response-hash-key-of-another',
    loseNextCharge: () => hyperswitch.failNext('reset', undefined, ({ method }) => method === 'POST'),
    settled: (chargeId, secret) => {
      const object = hyperswitch.payments.find(({ payment_id }) => payment_id === paymentIdOf(chargeId)) ?? {};
      const event = { type: 'payment_succeeded', of: 'payment_details', object };
      return hyperswitchEvent(`settled ${chargeId}`, event, secret);
    },
    forge: ({ body, ...sent }) => ({ ...sent, body: body.replace('payment_succeeded', 'payment_failed') }),
  }),
};

export const NOTIFYING_VENDORS = Object.keys(SOURCES) as (keyof Fakes)[];

/** Registers its hooks when it is made. */
export class NotifyingVendors {
  readonly #db = useTestDatabase();
  readonly #vault = createVault([randomBytes(32)]);
  #fakes: Fakes | null = null;

  constructor() {
    beforeAll(async () => {
      const [braintree, worldpay, hyperswitch] = await Promise.all([
        startFakeBraintree(),
        startFakeWorldpay(),
        startFakeHyperswitch(),
      ]);
      this.#fakes = { braintree, worldpay, hyperswitch };
    });
    afterAll(() => Promise.all(Object.values(this.fakes).map((fake: FakeVendor) => fake.close())));
  }

  get fakes(): Fakes {
    if (this.#fakes === null) throw new Error('the fakes start before the tests');
    return this.#fakes;
  }

  get database(): Database {
    return this.#db.database;
  }

  readonly credentialsFor: CredentialsFor = (of) => credentialsSource(this.database, this.#vault)(of);

  sourceOf(vendor: keyof Fakes): Source {
    return SOURCES[vendor](this.fakes);
  }

  async connected({ processor, credentials, secret }: Source, secretOfMerchant = secret): Promise<TestMerchant> {
    const merchant = await createTestMerchant(this.database, { processor: null });
    const record = await findMerchantRecord(this.database, merchant.accountId, merchant.merchantId);
    if (record === null) throw new Error('no merchant');
    const deps = { database: this.database, processors: [processor], vault: this.#vault, privateTargets: false };
    const connection = { processor: processor.name, credentials, notification_secret: secretOfMerchant };
    await connectMerchant(deps, SYSTEM, merchant, record.merchant, connection);
    return merchant;
  }

  deliver({ processor }: Source, { body, headers = {} }: Sent, { merchantId }: TestMerchant) {
    return takeNotification(
      { database: this.database, vault: this.#vault, processors: [processor], now: () => new Date() },
      { processor: processor.name, merchant: merchantId },
      { body: Buffer.from(body), header: (name) => headers[name] },
    );
  }

  /** A worker's pass: the notifications, and what they made due. */
  async settle({ processor }: Source): Promise<void> {
    const { database, credentialsFor } = this;
    const deps = { database, processors: [processor], log: createRecordingLog(), credentialsFor };
    await handleDueNotifications(deps, NEVER);
    await resolveDueCharges(deps, NEVER);
  }

  async settleAgain(source: Source): Promise<void> {
    await this.database.query('update processor_notifications set due_at = now() where due_at is not null');
    await this.settle(source);
  }

  async charge({ processor, card }: Source, merchant: TestMerchant) {
    const { database, credentialsFor } = this;
    const sessionId = await createTestSession(database, merchant);
    const { pay } = createTestPayments(database, { processors: [processor], credentialsFor });
    await pay(merchant, sessionId, keyedCard(card));
    const chargeId = (await readPaymentState(database, sessionId)).rows[0]?.id as ChargeId;
    const statuses = async () => (await readPaymentState(database, sessionId)).charges;
    return { sessionId, chargeId, statuses };
  }

  async isOpen({ merchantId }: TestMerchant): Promise<boolean> {
    const { rowCount } = await this.database.query(
      'select from processor_notifications where merchant_id = $1 and due_at is not null',
      [merchantId],
    );
    return rowCount !== 0;
  }
}

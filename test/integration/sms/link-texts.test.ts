/** Texts with pay links: one text for concurrent requests, sent at once, given up when the session closes. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type SendLinkDeps, sendLink } from '../../../src/checkout/send-link.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { createVault, type Vault } from '../../../src/lib/vault/vault.ts';
import { createTextNotify } from '../../../src/notifications/outbox/notify.ts';
import type { SmsCarrier, Text } from '../../../src/notifications/sms/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { PATIENT_LIMITS } from '../../support/database.ts';
import { NO_TEXT_LIMITS } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { listTexts, POLL, useNotificationHarness } from '../outbox/notification-harness.ts';
import { createTestPayments, keyedCard } from '../payments/test-payments.ts';

const harness = useNotificationHarness();
/** Longer than a test takes, so that no sweep finds a text. */
const NEVER_MS = 3_600_000;

const linkDeps = (vault: Vault = harness.vault): SendLinkDeps => ({
  database: harness.database,
  vault,
  processors: [createSandbox(harness.database)],
  linkBase: () => 'https://pay.example.com',
  hasSmsCarrier: false,
  textLimits: NO_TEXT_LIMITS,
  onTextQueued: createTextNotify(harness.database, harness.log),
});

function recordingCarrier() {
  const sent: Text[] = [];
  const carrier: SmsCarrier = {
    name: 'recording',
    async send(text) {
      sent.push(text);
      return { status: 'accepted', carrierMessageId: null };
    },
    async find() {
      return null;
    },
  };
  return { sent, carrier };
}

async function textLink(deps = linkDeps()): Promise<{ id: CheckoutSessionId; shortUrl: string }> {
  const id = await createTestSession(harness.database, harness.merchant);
  const { isSent, shortUrl } = await sendLink(deps, harness.merchant, id);
  expect(isSent).toBe(true);
  return { id, shortUrl };
}

const rowOf = async (id: CheckoutSessionId) =>
  (await harness.database.query('select status, error_code from texts where session_id = $1', [id])).rows[0];

test('queues one text if two processes send the same link at once', async () => {
  const other = openDatabase({
    url: harness.db.url,
    maxConnections: 8,
    limits: PATIENT_LIMITS,
    onIdleError: () => undefined,
  });
  try {
    for (let round = 0; round < 5; round += 1) {
      const id = await createTestSession(harness.database, harness.merchant);
      const of = (database: SendLinkDeps['database']) =>
        Array.from({ length: 25 }, () => sendLink({ ...linkDeps(), database }, harness.merchant, id));
      const links = await Promise.all([...of(harness.database), ...of(other)]);
      expect(links.filter(({ isSent }) => isSent)).toHaveLength(1);
      expect(new Set(links.map(({ payUrl }) => payUrl)).size).toBe(1);
      expect(await listTexts(harness, id)).toHaveLength(1);
    }
  } finally {
    await other.close();
  }
});

test('sends a text when the worker is notified, not at the next sweep', async () => {
  const { sent, carrier } = recordingCarrier();
  harness.start({ testCarrier: carrier, pollMs: NEVER_MS });
  const { id, shortUrl } = await textLink();
  await expect.poll(() => sent.filter(({ body }) => body.includes(shortUrl)).length, POLL).toBe(1);
  await expect.poll(async () => (await rowOf(id))?.status, POLL).toBe('sent');
});

test('sends texts that were queued while the worker was not connected', async () => {
  const { id } = await textLink({ ...linkDeps(), onTextQueued: () => undefined });
  harness.start({ testCarrier: recordingCarrier().carrier, pollMs: NEVER_MS });
  await expect.poll(async () => (await rowOf(id))?.status, POLL).toBe('sent');
});

test.each([
  [
    'paid',
    (id: CheckoutSessionId) => createTestPayments(harness.database).pay(harness.merchant, id, keyedCard('visa')),
  ],
  [
    'expired',
    (id: CheckoutSessionId) =>
      harness.database.query('update checkout_sessions set expires_at = now() where id = $1', [id]),
  ],
])('does not send a text whose session is %s in the meantime', async (_, close) => {
  const { id, shortUrl } = await textLink();
  await close(id);
  const logged = harness.log.lines.length;
  const { sent, carrier } = recordingCarrier();
  harness.start({ testCarrier: carrier });
  const linkText = { status: 'failed', error_code: 'session_closed' };
  await expect
    .poll(
      async () =>
        (
          await harness.database.query(
            `select status, error_code from texts where session_id = $1 and kind = 'pay_link'`,
            [id],
          )
        ).rows,
      POLL,
    )
    .toEqual([linkText]);
  expect(sent.filter(({ body }) => body.includes(shortUrl))).toEqual([]);
  expect(harness.log.lines.slice(logged).filter((line) => line.includes('given up'))).toEqual([]);
});

test('gives up a text whose encryption key is missing, without sending anything', async () => {
  const { id, shortUrl } = await textLink(linkDeps(createVault([randomBytes(32)])));
  const { sent, carrier } = recordingCarrier();
  harness.start({ testCarrier: carrier });
  await expect.poll(() => rowOf(id), POLL).toEqual({ status: 'failed', error_code: 'cannot_be_opened' });
  expect(sent.filter(({ body }) => body === '' || body.includes(shortUrl))).toEqual([]);
});

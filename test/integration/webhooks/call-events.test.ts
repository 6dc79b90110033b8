/** Call events at webhook endpoints: once, in order, signed, and never late. */

import { Webhook } from 'standardwebhooks';
import { afterEach, expect, it } from 'vitest';
import {
  CALL_EVENT_TYPES,
  type CallEvent,
  type CallEventType,
  FIRST_AFTER_LOSS,
} from '../../../src/domain/call-progress.ts';
import { type CallId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { createCallClaims } from '../../../src/notifications/webhooks/call-claims.ts';
import { CallEventSender } from '../../../src/notifications/webhooks/call-events.ts';
import { HANG, POLL, status, useNotificationHarness } from '../outbox/notification-harness.ts';

/** So long that no event of a busy machine is late. */
const LATE_MS = 3_600_000;

const harness = useNotificationHarness();
const senders: CallEventSender[] = [];
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await harness.database.query('update webhook_endpoints set deleted_at = now()');
});

/** A worker, and how a phone process reaches it. */
function worker(): (event: CallEvent) => void {
  const listeners: ((event: CallEvent) => void)[] = [];
  const { database: sql, vault, redis, log } = harness;
  const sender = new CallEventSender({
    sql,
    vault,
    log,
    privateTargets: true,
    lateMs: LATE_MS,
    claim: createCallClaims(redis.redis),
    progress: {
      subscribeCalls: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
  });
  senders.push(sender);
  return (event) => {
    for (const listener of listeners) listener(event);
  };
}

interface Call {
  callId: CallId;
  sessionId: CheckoutSessionId;
}
const newCall = (): Call => ({ callId: newId('Call'), sessionId: newId('CheckoutSession') });

function eventOf(call: Call, type: CallEventType, sequence: number, ageMs = 0): CallEvent {
  const { accountId, mode, merchantId } = harness.merchant;
  return {
    ...call,
    id: newId('Event'),
    type,
    at: new Date(Date.now() - ageMs).toISOString(),
    sequence,
    accountId,
    mode,
    merchantId,
    platformCallId: 'CA1',
    step: type === 'call.step' ? { name: 'card_number', attempt: 1 } : null,
    returnRoute: type === 'call.returned' ? 'refer' : null,
    outcome: type === 'call.ended' ? { kind: 'succeeded', reason: null, chargeId: null } : null,
  };
}

const sequences = ({ received }: { received: { sequence: number }[] }) => received.map(({ sequence }) => sequence);

it('an endpoint gets the types that it lists, in order and signed', async () => {
  const endpoint = await harness.endpoint();
  const others = await harness.endpoint();
  const { secret } = await harness.register(endpoint.url, ['call.step', 'call.ended']);
  await harness.register(others.url);
  const tell = worker();
  const call = newCall();
  const types = ['call.answered', 'call.step', 'call.step', 'call.returned', 'call.ended'] as const;
  for (const [place, type] of types.entries()) tell(eventOf(call, type, place + 1));
  await expect.poll(() => sequences(endpoint), POLL).toEqual([2, 3, 5]);
  const [first] = endpoint.received;
  const verified = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {});
  expect(verified).toMatchObject({ type: 'call.step', data: { call: { step: 'card_number', call_id: call.callId } } });
  expect(others.received).toEqual([]);
});

it('of two workers one sends the events of a call, and another one those of the next', async () => {
  const endpoint = await harness.endpoint();
  await harness.register(endpoint.url, [...CALL_EVENT_TYPES]);
  const workers = [worker(), worker()];
  const call = newCall();
  for (const sequence of [1, 2, 3, 4]) {
    const event = eventOf(call, 'call.step', sequence);
    for (const tell of workers) tell(event);
  }
  await expect.poll(() => sequences(endpoint), POLL).toEqual([1, 2, 3, 4]);
  const last = eventOf(newCall(), 'call.ended', 5);
  for (const tell of workers.toReversed()) tell(last);
  await expect.poll(() => sequences(endpoint), POLL).toEqual([1, 2, 3, 4, 5]);
});

it('the end of a lost call is sent by another worker if the first one died with its process', async () => {
  const endpoint = await harness.endpoint();
  await harness.register(endpoint.url, [...CALL_EVENT_TYPES]);
  const call = newCall();
  worker()(eventOf(call, 'call.step', 1));
  await expect.poll(() => sequences(endpoint), POLL).toEqual([1]);
  await senders.pop()?.close();
  worker()(eventOf(call, 'call.ended', FIRST_AFTER_LOSS));
  await expect.poll(() => sequences(endpoint), POLL).toEqual([1, FIRST_AFTER_LOSS]);
});

it('a late event is dropped, and a failed one is not sent again', async () => {
  const endpoint = await harness.endpoint(status(500));
  await harness.register(endpoint.url, [...CALL_EVENT_TYPES]);
  const tell = worker();
  const call = newCall();
  tell(eventOf(call, 'call.step', 1));
  tell(eventOf(call, 'call.step', 2, 2 * LATE_MS));
  tell(eventOf(call, 'call.ended', 3));
  await expect.poll(() => sequences(endpoint), POLL).toEqual([1, 3]);
  const { rows } = await harness.database.query('select failures from webhook_endpoints where deleted_at is null');
  expect(rows).toEqual([{ failures: 0 }]);
});

it('an endpoint that hangs delays no other endpoint', async () => {
  const [hanging, other] = [await harness.endpoint(HANG), await harness.endpoint()];
  await harness.register(hanging.url, [...CALL_EVENT_TYPES]);
  await harness.register(other.url, [...CALL_EVENT_TYPES]);
  const tell = worker();
  const call = newCall();
  for (const sequence of [1, 2, 3]) tell(eventOf(call, 'call.step', sequence));
  await expect.poll(() => sequences(other), POLL).toEqual([1, 2, 3]);
  expect(sequences(hanging)).toEqual([1]);
});

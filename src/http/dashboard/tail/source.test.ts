/** What the stream of the live tail sends, and how much it keeps. */
import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../../domain/call-progress.ts';
import { newId } from '../../../domain/ids.ts';
import type { ListedEvent, TailEntry } from './entries.tsx';
import { tailSource } from './source.ts';

const accountId = newId('Account');
const merchantId = newId('Merchant');

const callEvent = (changes: Partial<CallEvent> = {}): CallEvent => ({
  id: newId('Event'),
  type: 'call.step',
  at: '2026-11-20T12:00:00.000Z',
  sequence: 2,
  accountId,
  mode: 'test',
  callId: newId('Call'),
  sessionId: newId('CheckoutSession'),
  merchantId,
  platformCallId: null,
  step: { name: 'expiry', attempt: 2 },
  returnRoute: null,
  outcome: null,
  ...changes,
});

const listed = (id: string): ListedEvent => ({
  id,
  type: 'checkout.succeeded',
  created_at: '2026-11-20T12:00:01.000Z',
  sequence: 1,
  mode: 'test',
  data: null,
});

/** A stream, and what it has sent. */
function open(wanted: string | null = null) {
  let listener: (event: CallEvent) => void = () => undefined;
  const page: { events: ListedEvent[]; hasMore: boolean } = { events: [], hasMore: false };
  const sent: (readonly TailEntry[])[] = [];
  let wakes = 0;
  const source = tailSource({ accountId, mode: 'test' }, wanted, {
    progress: {
      subscribeCalls(given) {
        listener = given;
        return () => undefined;
      },
    },
    readEvents: async () => page,
    readLimit: async () => null,
    readNames: async () => new Map(),
    render: (entries) => {
      sent.push(entries);
      return '';
    },
  });
  const stop = source.watch(() => {
    wakes += 1;
  });
  return {
    page,
    sent,
    stop,
    wakes: () => wakes,
    happens: (event: CallEvent) => listener(event),
    update: () =>
      source.update(
        () => undefined,
        () => undefined,
      ),
  };
}

describe('the live tail', () => {
  test('sends a first message even if nothing has happened, and then only news', async () => {
    const tail = open();
    await tail.update();
    await tail.update();
    expect(tail.sent).toEqual([[]]);
    tail.happens(callEvent());
    expect(tail.wakes()).toBe(1);
    await tail.update();
    expect(tail.sent.at(-1)?.map(({ what }) => what())).toEqual(['Enters the expiry date, attempt 2']);
    tail.stop();
  });

  test('leaves out calls of other accounts and modes, and of other merchants if one is chosen', async () => {
    const tail = open(merchantId);
    tail.happens(callEvent({ accountId: newId('Account') }));
    tail.happens(callEvent({ mode: 'live' }));
    tail.happens(callEvent({ merchantId: newId('Merchant') }));
    const wanted = callEvent();
    tail.happens(wanted);
    await tail.update();
    expect(tail.sent.flat().map(({ id }) => id)).toEqual([wanted.id]);
    tail.stop();
  });

  test('keeps the newest 50 entries between two updates, and says that others are left out', async () => {
    const tail = open();
    const events = Array.from({ length: 120 }, (_, at) =>
      callEvent({ at: new Date(Date.UTC(2026, 10, 20) + at).toISOString() }),
    );
    for (const event of events) tail.happens(event);
    await tail.update();
    const [entries = []] = tail.sent;
    expect(entries).toHaveLength(51);
    expect(entries[0]?.id).toBe(events.at(-1)?.id);
    expect(entries.at(-1)?.what()).toMatch(/left out/);
    tail.stop();
  });

  test('sends the events that a stream begins with, newest first', async () => {
    const tail = open();
    tail.page.events = [listed('evt_2'), listed('evt_1')];
    await tail.update();
    expect(tail.sent.flat().map(({ what }) => what())).toEqual(['checkout.succeeded', 'checkout.succeeded']);
    tail.stop();
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Sql } from '../db/pool.ts';
import { newId } from '../domain/ids.ts';
import { CallRecord } from './call-record.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A call record on a database that fails on demand, and the writes to it. */
function book() {
  const written: { steps: string[]; outcome: unknown; ended: unknown }[] = [];
  const failures: Error[] = [];
  const lines: string[] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    await Promise.resolve();
    const failure = failures.shift();
    if (failure) throw failure;
    const timeline = JSON.parse(String(values[3])) as { step: string }[];
    written.push({ steps: timeline.map(({ step }) => step), outcome: values[4], ended: values[9] });
    return { rows: [], rowCount: 1 };
  };
  const write = (...words: unknown[]) => lines.push(String(words.at(-1)));
  const log = { info: write, warn: write, error: write };
  const ends: string[] = [];
  const onEnd = (outcome: string) => ends.push(outcome);
  const record = new CallRecord(
    { query } as unknown as Sql,
    {
      id: newId('Call'),
      sessionId: newId('CheckoutSession'),
      merchantId: newId('Merchant'),
      leaseId: 1,
      sipDialogs: ['d'],
      sipCallId: 'sip-1',
    },
    log,
    onEnd,
  );
  return { written, failures, lines, ends, record };
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

it('writes milestones in order, and the last state once', async () => {
  const { written, record } = book();
  record.note('answered');
  record.save();
  record.note('charge');
  record.save();
  record.save();
  await vi.advanceTimersByTimeAsync(0);
  expect(written.map(({ steps }) => steps)).toEqual([
    ['invite', 'answered'],
    ['invite', 'answered', 'charge'],
  ]);
});

it('writes what the line says, when it ends, and when the caller starts to answer, but no keys', () => {
  const { record } = book();
  const said = { text: 'Please enter your card number.', language: 'en-US' };
  record.noteSentence('say ask card_number 1', said);
  vi.advanceTimersByTime(400);
  record.noteSentenceEnd();
  vi.advanceTimersByTime(100);
  record.noteAnswerStart();
  vi.advanceTimersByTime(500);
  record.noteSentence('say ask card_number 2 incomplete', said);
  record.noteWrongDigits(12);
  vi.advanceTimersByTime(200);
  // Replaces the previous sentence.
  record.noteSentence('say canceled', said);
  expect(record.timeline).toEqual([
    { step: 'invite', atMs: 0 },
    { step: 'say ask card_number 1', atMs: 0, said: { ...said, untilMs: 400 }, answerMs: 500 },
    { step: 'say ask card_number 2 incomplete', atMs: 1_000, said: { ...said, untilMs: 1_200 }, wrongDigits: 12 },
    { step: 'say canceled', atMs: 1_200, said: { ...said, untilMs: null } },
  ]);
});

it('reports the end once, even if it is written several times', async () => {
  const { failures, ends, record } = book();
  failures.push(away(), away());
  record.set({ outcome: 'succeeded' });
  const closed = record.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
  await record.close();
  expect(ends).toEqual(['succeeded']);
});

it('writes the end when the database is back, even minutes later', async () => {
  const { written, failures, record } = book();
  failures.push(...Array.from({ length: 20 }, away));
  record.set({ outcome: 'succeeded' });
  let closed = false;
  void record.close().then(() => {
    closed = true;
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect([closed, written]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(closed).toBe(true);
  expect(written).toMatchObject([{ outcome: 'succeeded', ended: expect.any(Date) }]);
});

it('gives up writing the end after 15 minutes, or at once after a permanent error', async () => {
  const first = book();
  first.failures.push(...Array.from({ length: 1_000 }, away));
  const closing = first.record.close();
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  await closing;
  expect(first.lines.at(-1)).toBe('end of a call not recorded');

  const second = book();
  second.failures.push(Object.assign(new Error('violates foreign key'), { code: '23503' }));
  await second.record.close();
  expect(second.lines).toEqual(['call ended', 'call not recorded', 'end of a call not recorded']);
});

it('limits the length of the timeline', () => {
  const { record } = book();
  for (let n = 0; n < 1_000; n++) record.note('say');
  expect(record.timeline.length).toBe(300);
});

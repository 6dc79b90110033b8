import { describe, expect, it } from 'vitest';
import { type Step, storyOf, type TimedCall } from './story.ts';
import { chapterWords } from './story-words.ts';
import { timeSpent } from './time-spent.ts';

const STARTED_MS = Date.parse('2026-11-26T12:00:00Z');

/** A recorded step: its time, its name, and the times of its sentence and answer. */
type Given = readonly [atMs: number, step: string, untilMs?: number, answerMs?: number, wrongDigits?: number];

function stepOf([at_ms, step, untilMs, answerMs, wrongDigits]: Given): Step {
  const said = untilMs === undefined ? null : { text: 'Words.', language: 'en-US', until_ms: untilMs };
  const at = new Date(STARTED_MS + at_ms).toISOString();
  return { step, at_ms, at, said, answer_ms: answerMs ?? null, wrong_digits: wrongDigits ?? null };
}

function callOf(given: readonly Given[], endMs: number | null): TimedCall {
  const created_at = new Date(STARTED_MS).toISOString();
  const ended_at = endMs === null ? null : new Date(STARTED_MS + endMs).toISOString();
  return { timeline: given.map(stepOf), status: endMs === null ? 'live' : 'ended', created_at, ended_at };
}

function sentencesOf(call: TimedCall): string[] {
  const chapters = storyOf(call);
  return chapters.map((chapter, at) => chapterWords(chapter, chapters.slice(at + 1), call.status === 'live').what);
}

const PAID: readonly Given[] = [
  [0, 'invite'],
  [100, 'answered'],
  [100, 'say greeting', 5_000, 6_000],
  [100, 'ask card_number'],
  [6_000, 'keys by telephone-event'],
  [15_000, 'say ask card_number 2 incomplete', 19_000, 20_000, 12],
  [15_000, 'card_number incomplete'],
  [29_000, 'say ask expiry 1', 31_000, 31_000],
  [29_000, 'ask expiry'],
  [34_000, 'say one_moment', 35_000],
  [34_000, 'charge'],
  // The answer is recorded after the sentence about it has started.
  [35_500, 'say succeeded', 40_000],
  [35_500, 'succeeded'],
  [35_500, 'paid'],
  [40_000, 'return'],
  [40_000, 'refer'],
  [41_000, 'refer accepted'],
];

describe('the story of a call', () => {
  it('says how long each answer took, which try it was, and why, without the digits', () => {
    expect(sentencesOf(callOf(PAID, 41_500))).toEqual([
      'The call was answered in 0.1 s',
      'Entered the card number in 9.0 s, on the second try (before: only 12 digits)',
      'Entered the expiry date in 3.0 s',
      'The charge succeeded in 1.5 s',
      'The line says that the payment succeeded',
      'Returned to the agent by REFER, in 1.0 s',
    ]);
  });

  it('reads well for calls of earlier versions, whose sentences have no times', () => {
    const old = PAID.map(([atMs, step]): Given => [atMs, step]);
    expect(sentencesOf(callOf(old, 41_500)).slice(1, 3)).toEqual([
      'Entered the card number, on the second try (before: it was incomplete)',
      'Entered the expiry date',
    ]);
  });

  it('tells a decline from the second card', () => {
    const given: readonly Given[] = [
      [0, 'invite'],
      [100, 'say greeting'],
      [100, 'ask card_number'],
      [20_000, 'say one_moment'],
      [20_000, 'charge'],
      [22_000, 'say declined'],
      [22_000, 'ask card_number'],
      [22_000, 'declined do_not_honor'],
      [30_000, 'caller hung up'],
      [30_000, 'hung_up'],
    ];
    expect(sentencesOf(callOf(given, 30_000))).toEqual([
      'The call came in',
      'Entered the card number',
      'The bank declined: do not honor, after 2.0 s',
      'Did not enter a card number',
      'The caller hangs up',
    ]);
  });

  it('says why no answer was given, and that the return failed', () => {
    const given: readonly Given[] = [
      [0, 'invite'],
      [100, 'answered'],
      [100, 'ask card_number'],
      [20_000, 'say ask card_number 2 nothing_keyed'],
      [20_000, 'card_number nothing_keyed'],
      [40_000, 'say gave_up'],
      [40_000, 'gave_up no_input'],
      [45_000, 'return'],
      [46_000, 'refer refused 603'],
    ];
    expect(sentencesOf(callOf(given, 47_000)).slice(1)).toEqual([
      'Did not enter a card number: nothing was entered',
      'The line says that nothing was charged and stops asking',
      'The REFER was refused, 603',
    ]);
  });

  it('says that the caller hung up in the middle of an answer', () => {
    const given: readonly Given[] = [
      [0, 'invite'],
      [100, 'say greeting', 5_000, 6_000],
      [100, 'ask card_number'],
      [7_100, 'caller hung up'],
    ];
    expect(sentencesOf(callOf(given, 7_100))).toContain('Did not enter a card number: stopped in the middle');
  });

  it('follows a payment by link', () => {
    const given: readonly Given[] = [
      [0, 'invite'],
      [100, 'answered'],
      [100, 'ask card_number'],
      [10_000, 'send_link'],
      [11_000, 'say link_sent'],
      [11_000, 'link_sent'],
      [30_000, 'page_opened'],
      [50_000, 'say paying_elsewhere'],
      [50_000, 'paying_elsewhere page'],
      [55_000, 'say paid_elsewhere'],
      [55_000, 'paid_elsewhere'],
    ];
    expect(sentencesOf(callOf(given, 60_000)).slice(2)).toEqual([
      'Got the pay link by text, opened it, and stayed 40 s',
      'Paid on the pay page, after 5.0 s on the line',
      'The line says that the payment has arrived',
    ]);
  });

  it('can be told at every moment of a live call', () => {
    for (let steps = 0; steps <= PAID.length; steps += 1) {
      const call = callOf(PAID.slice(0, steps), null);
      expect(sentencesOf(call).every((sentence) => sentence.length > 5)).toBe(true);
      expect(storyOf(call).flatMap((chapter) => chapter.steps)).toHaveLength(steps);
    }
    expect(sentencesOf(callOf(PAID.slice(0, 4), null)).at(-1)).toBe('The line is waiting for an answer');
  });
});

describe('where the time of a call went', () => {
  const spentOf = (given: readonly Given[], endMs: number) =>
    Object.fromEntries(timeSpent(callOf(given, endMs)).map(({ activity, ms }) => [activity, ms]));

  it('adds up to its duration', () => {
    expect(spentOf(PAID, 41_500)).toEqual({
      answering: 100,
      speaking: 15_400,
      keying: 21_000,
      waiting: 2_000,
      processor: 1_500,
      returning: 1_500,
    });
    for (let steps = 1; steps <= PAID.length; steps += 1) {
      const spent = Object.values(spentOf(PAID.slice(0, steps), 60_000));
      expect(spent.reduce((sum, ms) => sum + ms, 0)).toBe(60_000);
    }
  });

  it('is told in fewer parts for calls of earlier versions', () => {
    const old = PAID.map(([atMs, step]): Given => [atMs, step]);
    expect(spentOf(old, 41_500)).toEqual({ answering: 100, talk: 38_400, processor: 1_500, returning: 1_500 });
  });
});

/**
 * Keys of every kind on complete calls: as events, as SIP INFO, as tones in the audio, in two ways at once, and as
 * events without end packets.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KeysBy } from '../../src/local/scripted-caller/phone.ts';
import { listCalls, waitForEndedCall } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { TestCaller } from '../support/test-caller.ts';

// Only a few at once, because late tones are lost among many calls.
vi.setConfig({ testTimeout: 400_000, maxConcurrency: 3 });

const external = process.env.RINGKEY_ENGINE === 'external';
const CARD = '42424242424242421230123';

let product: TestProduct;
const callers: TestCaller[] = [];

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  for (const caller of callers) await caller.close();
  await product.close();
});

/**
 * Waits until the line has asked, because FreeSWITCH drops late packets, including tones, when a prompt starts or ends.
 */
async function onThePhone(keysBy: KeysBy, offersEvents?: boolean): Promise<TestCaller> {
  // A caller without a saved card, because the line would offer it.
  const options = { keysBy, fields: { merchant_id: 'mer_demo_diner', caller_phone: '+15550101399' } };
  const caller = await TestCaller.create(product, offersEvents === undefined ? options : { ...options, offersEvents });
  callers.push(caller);
  await caller.dial();
  await caller.waitForSentence(/enter your card number/);
  return caller;
}

/** Waits for the paid end of the call. @returns its timeline */
async function paid(caller: TestCaller): Promise<string[]> {
  const headers = await caller.outcomeHeadersAfterCall();
  await waitForEndedCall(product.testDatabase, caller.checkout.id);
  const [call] = await listCalls(product.testDatabase, caller.checkout.id);
  const steps = call?.steps ?? [];
  expect(headers['X-Ringkey-Outcome'], steps.join(', ')).toBe('succeeded');
  return steps;
}

const kindsIn = (steps: readonly string[]) => steps.filter((step) => step.startsWith('keys by'));
const mistakesIn = (steps: readonly string[]) => steps.filter((step) => /^say ask \w+ ([23]|1 \w)/.test(step));

describe.concurrent('a caller', () => {
  test.each<[KeysBy, RegExp]>([
    ['telephone_event', /^keys by telephone-event$/],
    ['info', /^keys by SIP INFO$/],
    ['sound', /^keys by sound$/],
    // The first kind counts; the other one is always late.
    ['info_and_sound', /^keys by (SIP INFO|sound)$/],
  ])('whose phone sends keys by %s pays, and the call records the kind', async (keysBy, kind) => {
    const caller = await onThePhone(keysBy);
    await caller.press(CARD);
    const steps = await paid(caller);
    expect(kindsIn(steps)).toEqual([expect.stringMatching(kind)]);
    expect(mistakesIn(steps)).toEqual([]);
  });

  test('whose trunk offers events but sends tones is recognized at the first question', async () => {
    const caller = await onThePhone('sound', true);
    await caller.press(CARD);
    const steps = await paid(caller);
    expect(kindsIn(steps)).toEqual(['keys by sound']);
    expect(mistakesIn(steps)).toEqual([]);
  });

  test('whose gateway leaves the start of each tone in the audio has each key counted once', async () => {
    const caller = await onThePhone('sound_then_event');
    await caller.press(CARD);
    const steps = await paid(caller);
    expect(kindsIn(steps).at(-1)).toBe('keys by telephone-event');
    expect(mistakesIn(steps)).toEqual([]);
  });

  test('whose phone never sends the end of an event is recognized by the second question', async () => {
    const caller = await onThePhone('event_without_end');
    await caller.press(CARD);
    // The built-in engine recognizes them immediately, FreeSWITCH from the second question on, which ends with these
    // words.
    if (external) {
      await caller.waitForSentence(/pound twice/);
      await caller.press(CARD);
    }
    const steps = await paid(caller);
    expect(kindsIn(steps)).toEqual(['keys by telephone-event']);
    const missed = external ? ['say ask card_number 2 nothing_keyed'] : [];
    expect(mistakesIn(steps)).toEqual(missed);
  });

  test('whose trunk sends events and leaves the tones in the audio has each key counted once', async () => {
    const caller = await onThePhone('info_and_sound', true);
    await caller.press(CARD);
    const steps = await paid(caller);
    // On a busy machine, the first tone can be recognized before its INFO arrives.
    expect(kindsIn(steps).at(-1)).toBe('keys by SIP INFO');
    expect(mistakesIn(steps)).toEqual([]);
  });
});

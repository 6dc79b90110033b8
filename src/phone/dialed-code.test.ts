/** A transfer code that is dialed although the calling number has found the session. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { DialedCode } from './dialed-code.ts';

const CODES = ['12345678', '87654321'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function listening() {
  const heard = { passed: '', places: [] as number[] };
  const overs: string[] = [];
  const dialed = new DialedCode(
    {
      placeOf: (code) => CODES.indexOf(code.reveal((text) => text)),
      onCode: (place) => void heard.places.push(place),
      pass: (key) => {
        heard.passed += key.reveal((character) => character);
        key.wipe();
      },
      onOver: () => void overs.push(heard.passed),
    },
    { codeStartMs: 5_000, codeGapMs: 700 },
  );
  const press = async (keys: string, gapMs = 200) => {
    for (const key of keys) {
      dialed.press(Secret.of(key));
      await vi.advanceTimersByTimeAsync(gapMs);
    }
  };
  return { heard, dialed, press, overs };
}

describe('keys of a call that was found by its number', () => {
  it('are dropped if they are the code, with the pound key behind it', async () => {
    const { heard, press } = listening();
    await press('87654321#42#');
    expect(heard).toEqual({ passed: '42#', places: [1] });
  });

  it('are over once: with the code, or before the first one that is passed on', async () => {
    const coded = listening();
    await coded.press('87654321#42');
    expect(coded.overs).toEqual(['']);
    const cut = listening();
    await cut.press('654321', 200);
    expect(cut.overs).toEqual([]);
    await vi.advanceTimersByTimeAsync(700);
    await cut.press('42');
    expect([cut.overs, cut.heard.passed]).toEqual([[''], '65432142']);
  });

  it('are passed on together if they are the start of a card number', async () => {
    const { heard, press } = listening();
    await press('4242424');
    expect(heard.passed).toBe('');
    await press('242424242');
    expect(heard).toEqual({ passed: '4242424242424242', places: [] });
  });

  it('are passed on at once after a pause, and with a star or a pound key', async () => {
    const slow = listening();
    await slow.press('12', 800);
    expect(slow.heard.passed).toBe('12');
    const starred = listening();
    await starred.press('1*', 0);
    expect(starred.heard.passed).toBe('1*');
    const pound = listening();
    await pound.press('#', 0);
    expect(pound.heard.passed).toBe('#');
  });

  it('are passed on if they come late', async () => {
    const { heard, press } = listening();
    await vi.advanceTimersByTimeAsync(6_000);
    await press('1', 0);
    expect(heard.passed).toBe('1');
  });

  it('are wiped at the end of the call', async () => {
    const { heard, dialed, press } = listening();
    await press('123');
    dialed.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([heard.passed, vi.getTimerCount()]).toEqual(['', 0]);
  });
});

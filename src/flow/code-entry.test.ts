/** Listening for a transfer code, step by step. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../domain/secret.ts';
import { type CodeEffect, type CodeEvent, type CodeState, codeStep, startCodeEntry } from './code-entry.ts';
import { CODE_MS, MAX_CODE_KEYS } from './limits.ts';

/** An entry with everything that it has ordered so far. */
class Entry {
  state: CodeState = startCodeEntry();
  effects: CodeEffect[] = [];
  readonly codes: string[] = [];

  send(event: CodeEvent): this {
    const { state, effects } = codeStep(this.state, event);
    this.state = state;
    this.effects = effects;
    for (const effect of effects) {
      if (effect.type === 'check_code') this.codes.push(effect.code.reveal((code) => code));
    }
    return this;
  }

  press(keys: string): this {
    for (const key of keys) this.send({ type: 'key', key: Secret.of(key) });
    return this;
  }

  get orders(): string[] {
    return this.effects.map(({ type }) => type);
  }
}

const answered = () => new Entry().send({ type: 'answered' });
const wrong = (isLast = false): CodeEvent => ({ type: 'wrong_code', isLast });

describe('a call that listens for a code', () => {
  it('waits six seconds for the first digit, and then gives up', () => {
    const entry = answered();
    expect(entry.effects).toEqual([{ type: 'start_timer', ms: CODE_MS }]);
    expect(entry.send({ type: 'silence' }).orders).toEqual(['cancel_timer', 'give_up']);
  });

  it('looks up the code at its eighth digit', () => {
    const entry = answered().press('1234567');
    expect([entry.codes, entry.orders]).toEqual([[], ['start_timer']]);
    entry.press('8');
    expect([entry.codes, entry.orders]).toEqual([['12345678'], ['cancel_timer', 'check_code']]);
    expect(entry.send({ type: 'checked' }).orders).toEqual([]);
    expect(entry.state.kind).toBe('over');
  });

  it('takes digits that come before the answer', () => {
    expect(new Entry().press('12345678').codes).toEqual(['12345678']);
  });

  it.each(['*', '#'])('starts over after %s', (key) => {
    expect(answered().press(`123${key}87654321`).codes).toEqual(['87654321']);
  });

  it('gives up after digits that are no whole code', () => {
    expect(answered().press('1234').send({ type: 'silence' }).orders).toContain('give_up');
  });

  it('listens again after a wrong code, and gives up after the third', () => {
    const entry = answered();
    for (const code of ['11111111', '22222222']) {
      entry.press(code).send(wrong());
      expect(entry.effects).toEqual([{ type: 'start_timer', ms: CODE_MS }]);
    }
    expect(entry.press('33333333').send(wrong()).orders).toContain('give_up');
    expect(entry.codes).toEqual(['11111111', '22222222', '33333333']);
  });

  it('gives up at the first wrong code if the caller may try no other', () => {
    expect(answered().press('11111111').send(wrong(true)).orders).toContain('give_up');
  });

  it('gives up after too many keys', () => {
    const entry = answered();
    for (let key = 0; key <= MAX_CODE_KEYS; key += 1) entry.press('#');
    expect(entry.orders).toContain('give_up');
  });

  it.each(['hung_up', 'media_lost'] as const)('ends once with %s, also while a code is looked up', (type) => {
    expect(answered().press('123').send({ type }).orders).toContain('give_up');
    const checking = answered().press('12345678').send({ type });
    expect(checking.orders).toContain('give_up');
    expect(checking.send(wrong()).send({ type }).effects).toEqual([]);
  });
});

it('wipes every key and every digit that is not part of a code being looked up', () => {
  const key = Secret.of('5');
  const entry = answered().press('1234');
  const { state } = entry;
  if (state.kind !== 'listening') throw new Error(state.kind);
  entry.send({ type: 'key', key });
  const keyed = entry.state.kind === 'listening' ? entry.state.keyed : Secret.empty();
  expect([key.length, state.keyed.length, keyed.length]).toEqual([0, 0, 5]);
  expect(inspect(entry.state, { depth: 9 })).not.toMatch(/1234/);
  entry.send({ type: 'silence' });
  expect(keyed.length).toBe(0);
});

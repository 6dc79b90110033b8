import { describe, expect, test } from 'vitest';
import { DECLINE_CODES, type DeclineCode } from '../domain/charge.ts';
import { LANGUAGE_TAGS, languageFor } from '../languages/index.ts';
import { checkoutLine } from './agent-lines.ts';
import { ERROR_CODES, type ErrorCode } from './error-catalogue.ts';
import { ApiError, errorEntry, errorObject, withErrorsIn } from './errors.ts';

const CONTEXT = { requestId: 'req_1', docsUrl: 'https://docs.example.com' };
const OTHERS = LANGUAGE_TAGS.filter((language) => language !== 'en');
const SPOKEN: readonly (readonly [ErrorCode, DeclineCode | null])[] = [
  ...ERROR_CODES.map((code) => [code, null] as const),
  ...DECLINE_CODES.map((code) => ['card_declined', code] as const),
];

describe.each(OTHERS)('in %s', (language) => {
  test.each(SPOKEN)('%s %s differs from English in its words only', (code, declineCode) => {
    const { agentMessage, displayMessage, ...facts } = errorEntry(code, declineCode, `${language}-XX`);
    const { agentMessage: spoken, displayMessage: shown, ...english } = errorEntry(code, declineCode);
    expect(facts).toEqual(english);
    if (spoken === null) {
      expect([agentMessage, displayMessage]).toEqual([null, null]);
      return;
    }
    expect(agentMessage).not.toBe(spoken);
    expect(displayMessage).not.toBe(shown);
  });

  test('lost and stolen cards sound like any other decline', () => {
    for (const code of ['lost_card', 'stolen_card', 'generic_decline'] as const) {
      expect(errorEntry('card_declined', code, language).agentMessage).toBe(
        errorEntry('card_declined', null, language).agentMessage,
      );
    }
  });

  test('words that replace those of the code are translated, too', () => {
    const facts = { words: 'refund_unknown' } as const;
    const object = errorObject('processor_unavailable', facts, { ...CONTEXT, language });
    expect(object.agent_message).toBe(languageFor(language).agent.other.refund_unknown.agentMessage);
    expect(object).not.toHaveProperty('words');
    const borrowed = { words: 'rate_limit' } as const;
    expect(errorObject('processor_unavailable', borrowed, { ...CONTEXT, language }).agent_message).toBe(
      errorEntry('rate_limit', null, language).agentMessage,
    );
  });
});

test.each([null, '', 'en', 'en-GB', 'pt-BR', 'deu', 'english'])('uses English for the language %j', (language) => {
  expect(errorEntry('card_declined', null, language)).toEqual(errorEntry('card_declined'));
});

test.each(['de', 'DE-at', 'de-Latn-CH'])('%s is German', (language) => {
  expect(errorEntry('card_declined', null, language).agentMessage).toMatch(/Karte wurde abgelehnt/);
});

describe('withErrorsIn', () => {
  const fail = (code: ErrorCode) => async () => {
    throw new ApiError(code);
  };

  test('looks up the language for errors with words for the caller, and for no others', async () => {
    let calls = 0;
    const languageOf = async () => {
      calls += 1;
      return 'fr';
    };
    await expect(withErrorsIn(languageOf, async () => 7)).resolves.toBe(7);
    await expect(withErrorsIn(languageOf, fail('session_not_found'))).rejects.toMatchObject({ language: null });
    expect(calls).toBe(0);
    await expect(withErrorsIn(languageOf, fail('card_declined'))).rejects.toMatchObject({ language: 'fr' });
    expect(calls).toBe(1);
  });

  test('throws the error without a language if the lookup fails', async () => {
    const lost = async () => {
      throw new Error('the database is away');
    };
    const error = { code: 'needs_enrollment', language: null };
    await expect(withErrorsIn(lost, fail('needs_enrollment'))).rejects.toMatchObject(error);
  });
});

describe('the line after a checkout is created', () => {
  const english = { language: 'en-US' };

  test('promises no link if the caller cannot be texted', () => {
    expect(checkoutLine(english, 'optional', { takesKeypad: true, hasCards: false, canText: true })).toMatch(
      /link I text you/,
    );
    expect(checkoutLine(english, 'optional', { takesKeypad: true, hasCards: false, canText: false })).not.toMatch(
      /link|text|card/,
    );
  });

  test.each([...OTHERS, 'en-US'])('does not ask for a card if the keypad cannot be used, in %s', (language) => {
    const lineWith = (takesKeypad: boolean) =>
      checkoutLine({ language }, 'required', { takesKeypad, hasCards: false, canText: true });
    const card = /card|tarjeta|carte|Karte/;
    expect([lineWith(true), lineWith(false)]).toEqual([expect.stringMatching(card), expect.not.stringMatching(card)]);
  });

  test.each(OTHERS)('is in %s', (language) => {
    for (const verdict of ['required', 'optional', 'none'] as const) {
      for (const takesKeypad of [true, false]) {
        const ways = { takesKeypad, hasCards: true, canText: true };
        expect(checkoutLine({ language }, verdict, ways)).not.toBe(checkoutLine(english, verdict, ways));
      }
    }
  });
});

test.each(OTHERS)('the lines about the outcome differ from English in %s', (language) => {
  const { outcome } = languageFor(language).agent;
  for (const [name, line] of Object.entries(languageFor('en').agent.outcome))
    expect(outcome[name as keyof typeof outcome]).not.toBe(line);
});

import { describe, expect, test } from 'vitest';
import { ERROR_TABLE } from '../../test/support/error-table.ts';
import { DECLINE_CODES } from '../domain/charge.ts';
import { ERROR_CODES, type ErrorCode } from './error-catalogue.ts';
import { ErrorObject } from './error-object.ts';
import { ApiError, errorEntry, errorObject } from './errors.ts';

const CONTEXT = { requestId: 'req_1', docsUrl: 'https://docs.example.com' };

describe('the catalogue', () => {
  test('has exactly the codes of the interface', () => {
    expect([...ERROR_CODES].sort()).toEqual(ERROR_TABLE.map((row) => row.code).sort());
  });

  test.each(ERROR_TABLE.map((row) => [row.code as ErrorCode, row] as const))(
    '%s has the status, type, audience, advice and action of the interface',
    (code, row) => {
      const { status, type, audience, advice, action } = errorEntry(code);
      expect({ status, audience }).toEqual({ status: row.status, audience: row.audience });
      if (row.type !== null) expect({ type, advice }).toEqual({ type: row.type, advice: row.advice });
      if (row.action !== undefined) expect(action).toBe(row.action);
    },
  );

  test.each(ERROR_CODES)('%s has words for the caller only if it concerns the caller', (code) => {
    const { audience, agentMessage, displayMessage, action } = errorEntry(code);
    if (audience === 'developer') {
      expect([agentMessage, displayMessage, action]).toEqual([null, null, null]);
      return;
    }
    for (const copy of [agentMessage, displayMessage]) expect(copy).toMatch(/^[A-Z].{20,}[.?]$/);
    expect(agentMessage).not.toMatch(/error|code|server|API|processor|session|instrument/);
  });

  test('an unknown outcome tells the caller not to pay again', () => {
    const { agentMessage, displayMessage } = errorEntry('processor_unavailable');
    expect(agentMessage).toContain("don't pay again");
    expect(displayMessage).toContain('do not pay again');
  });
});

describe('a decline', () => {
  test.each(DECLINE_CODES)('%s makes a valid error object', (declineCode) => {
    const object = errorObject('card_declined', { declineCode, charge: 'ch_1', processorCode: '05' }, CONTEXT);
    expect(() => ErrorObject.strict().parse(object)).not.toThrow();
    expect(object).toMatchObject({ decline_code: declineCode, charge: 'ch_1', processor_code: '05' });
    expect(object.agent_message).not.toBeNull();
    expect(object.display_message).not.toBeNull();
  });

  test.each(['lost_card', 'stolen_card'] as const)('%s sounds like any other decline', (code) => {
    expect(errorEntry('card_declined', code).agentMessage).toBe(errorEntry('card_declined').agentMessage);
    expect(errorEntry('card_declined', code)).toMatchObject({
      advice: 'do_not_try_again',
      action: 'offer_different_card',
    });
  });

  test('for a mistyped field asks to check it', () => {
    expect(errorEntry('card_declined', 'incorrect_cvc')).toMatchObject({
      advice: 'confirm_card_data',
      action: 'retry_card',
    });
  });

  test('code does not change other errors', () => {
    expect(errorEntry('invalid_key', 'lost_card')).toEqual(errorEntry('invalid_key'));
  });
});

describe('the error object', () => {
  test('has all required fields, and an optional field only if it has a value', () => {
    expect(errorObject('invalid_value', { param: 'amount_cents', message: 'Too much.' }, CONTEXT)).toEqual({
      type: 'invalid_request_error',
      code: 'invalid_value',
      audience: 'developer',
      message: 'Too much.',
      advice_code: 'do_not_try_again',
      agent_message: null,
      display_message: null,
      agent_action: null,
      doc_url: 'https://docs.example.com/api-reference/error-codes#invalid_value',
      request_id: 'req_1',
      param: 'amount_cents',
    });
  });
});

describe('ApiError', () => {
  test('has the status of its code by default', () => {
    expect(new ApiError('invalid_ttl').status).toBe(400);
    expect(new ApiError('internal_error', { status: 503, retryAfterSeconds: 1 })).toMatchObject({
      status: 503,
      retryAfterSeconds: 1,
      facts: {},
    });
  });

  test('keeps its cause for the log', () => {
    const cause = new Error('the disk is full');
    expect(new ApiError('session_create_failed', { cause }).cause).toBe(cause);
  });
});

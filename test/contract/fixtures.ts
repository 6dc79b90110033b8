/** Fixtures of the contract tests: keys of another account and of live mode, and the check of an error answer. */
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { errorEntry, errorObject, type LinkCode, linkFacts } from '../../src/contract/errors.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { newId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import type { Answer, TestApi } from './test-api.ts';

export const OTHER_KEY = 'rk_test_other_0123456789abcdef';
export const OTHER_LIVE_KEY = 'rk_live_other_0123456789abcdef';
export const LIVE_KEY = 'rk_live_demo_0123456789abcdef';
export const CALLER = '+15550101234';
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/**
 * A test key and a live key of other accounts, and one of the demo account's live mode. The keys of others are of two
 * accounts, because a test key cannot change the lists of an account that has live keys.
 */
export async function insertTestKeys(api: TestApi): Promise<void> {
  const others = [
    { mode: 'test', key: OTHER_KEY },
    { mode: 'live', key: OTHER_LIVE_KEY },
  ] as const;
  for (const { mode, key } of others) {
    const accountId = newId('Account');
    await insertAccount(api.database, { id: accountId, name: 'Other' });
    await insertKey(api.database, { accountId, mode, key });
  }
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'live', key: LIVE_KEY });
}

/** The entry if no pay link can be sent. */
export function withoutLink(code: LinkCode, language = 'en') {
  const { agent_message, display_message, agent_action } = errorObject(code, linkFacts(code, false), {
    requestId: '',
    docsUrl: '',
    language,
  });
  const words = { agentMessage: agent_message, displayMessage: display_message };
  return { ...errorEntry(code), ...words, action: agent_action };
}

/** Compares the error object with the catalogue, except for the words of a decline, which depend on its decline code. */
export function expectError(answer: Answer, code: ErrorCode, param?: string): void {
  const { error } = answer.body;
  const entry = errorEntry(code);
  expect({ status: answer.status, code: error?.code, param: error?.param }).toEqual({
    status: entry.status,
    code,
    param,
  });
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(() => ErrorObject.strict().parse(error)).not.toThrow();
  expect(error).toMatchObject({
    type: entry.type,
    audience: entry.audience,
    doc_url: `https://docs.example.com/api-reference/error-codes#${code}`,
    request_id: answer.headers.get('x-request-id'),
  });
  if (code === 'card_declined') return;
  expect(error).toMatchObject({
    advice_code: entry.advice,
    agent_message: entry.agentMessage,
    display_message: entry.displayMessage,
    agent_action: entry.action,
  });
}

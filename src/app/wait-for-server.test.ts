import { expect, test } from 'vitest';
import { CannotStart } from '../lib/start-error.ts';
import { type Server, waitForServer } from './wait-for-server.ts';

const SERVER: Server = {
  name: 'PostgreSQL',
  setting: 'DATABASE_URL',
  url: 'postgres://me:secret@db.example.com:5433/x',
};
const refused = () => Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:5433'), { code: 'ECONNREFUSED' });

function logged() {
  const lines: string[] = [];
  return { lines, warn: (_fields: unknown, message?: string) => void lines.push(String(message)) };
}

/** Fails with these, one a try, and then works. */
function failing(...errors: Error[]) {
  return async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
}

test('a server that is still starting is asked again, and the log says so once', async () => {
  const log = logged();
  const slow = new Error('timeout expired');
  const both = new AggregateError([refused(), refused()]);
  expect(await waitForServer(SERVER, log, failing(refused(), slow, both))).toBe('done');
  expect(log.lines).toEqual(['server does not respond yet, retrying']);
});

test('one that never answers is named with its setting, without its password', async () => {
  const never = waitForServer(SERVER, logged(), () => Promise.reject(refused()), 20);
  await expect(never).rejects.toThrow(CannotStart);
  await expect(never).rejects.toThrow(
    'PostgreSQL at db.example.com:5433 did not respond within 0.02 s (connect ECONNREFUSED 192.0.2.1:5433): ' +
      'start it, or check DATABASE_URL.',
  );
});

test.each([
  Object.assign(new Error('password authentication failed for user "me"'), { code: '28P01' }),
  Object.assign(new Error('database "x" does not exist'), { code: '3D000' }),
  new Error('WRONGPASS invalid username-password pair or user is disabled.'),
  new Error('NOAUTH Authentication required.'),
])('one that refuses us is not asked again: %s', async (error) => {
  const log = logged();
  const contact = waitForServer(SERVER, log, failing(error));
  await expect(contact).rejects.toThrow(CannotStart);
  await expect(contact).rejects.toThrow(`refuses the connection (${error.message}): check DATABASE_URL.`);
  expect(log.lines).toEqual([]);
});

test('a bug is thrown as it is', async () => {
  await expect(waitForServer(SERVER, logged(), failing(new TypeError('no such thing')))).rejects.toThrow(TypeError);
});

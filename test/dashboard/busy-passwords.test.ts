/** More users sign in than passwords can be checked: a refusal for load does not count as a failed attempt. */
import { expect, it } from 'vitest';
import { changeOwnPassword } from '../../src/accounts/users/own-password.ts';
import { isPassword, TooBusy } from '../../src/accounts/users/password.ts';
import { actorOfUser } from '../../src/accounts/users/sessions.ts';
import { signInWithPassword } from '../../src/accounts/users/sign-in-password.ts';
import { countTryOf, takeTryBack } from '../../src/db/users/credentials.ts';
import { codeOf, FROM, now, OTHER_PASSWORD, OwnCredentials, PASSWORD, vault } from './own-credentials.ts';

const own = new OwnCredentials();

/** Fills the queue of passwords until `work` has ended. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const keepTrying = async () => {
    while (!isOver) {
      await isPassword(null, PASSWORD).catch(() => undefined);
      await new Promise(setImmediate);
    }
  };
  const crowd = Array.from({ length: 80 }, keepTrying);
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(crowd);
}

/** Repeats the attempt until it is refused as too busy. */
async function untilTooBusy(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const refusal = await attempt().then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal instanceof TooBusy) return;
    if (refusal !== null) throw refusal;
    await own.database.query(`update users set failed_at = '{}', locked_until = null where id = $1`, [own.user.id]);
  }
}

const failures = async () => {
  const text = 'select cardinality(failed_at) as failures, locked_until as locked from users where id = $1';
  return (await own.database.query(text, [own.user.id])).rows;
};

it('does not count an attempt as failed if the password was not checked, at sign-in and before a change', async () => {
  const { database, user } = own;
  const given = { email: user.email, password: 'not the password', code: codeOf(own.secret) };
  const session = await own.session();
  await whileBusy(async () => {
    for (let times = 0; times < 3; times += 1) {
      await untilTooBusy(() => signInWithPassword({ database, vault, now }, given, FROM));
      expect(await failures()).toEqual([{ failures: 0, locked: null }]);
      const passwords = { current: 'not the password', password: OTHER_PASSWORD };
      await untilTooBusy(() => changeOwnPassword(database, actorOfUser(user.id, FROM), session, passwords));
      expect(await failures()).toEqual([{ failures: 0, locked: null }]);
    }
  });
  expect(await own.auditEntries('user.locked')).toEqual([]);
});

it('takes back only one of two attempts with the same time', async () => {
  await own.database.transaction(async (sql) => {
    const [first, second] = [await countTryOf(sql, own.user.id), await countTryOf(sql, own.user.id)];
    expect(second?.triedAt).toEqual(first?.triedAt);
    if (first !== null) await takeTryBack(sql, first);
  });
  expect(await failures()).toEqual([{ failures: 1, locked: null }]);
});

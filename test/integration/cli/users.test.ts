/** `ringkey user`, from the command line to the database. */
import { expect, test } from 'vitest';
import { hashUserToken } from '../../../src/accounts/users/tokens.ts';
import { findInvitation } from '../../../src/db/users/invitations.ts';
import { newAccount } from '../../dashboard/users.ts';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();

test('invites a user, changes its role, lists and removes it', async () => {
  const accountId = await newAccount(runner.database);
  const json = async (line: string) => {
    const { code, out, err } = await runner.run(`${line} --json`, { RINGKEY_PUBLIC_URL: 'https://pay.example.com' });
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Record<string, string>;
  };
  const created = await json(`user create --account ${accountId} --email Ada@Example.com --role owner`);
  expect(created).toMatchObject({ account_id: accountId, email: 'ada@example.com', name: 'ada', role: 'owner' });
  const [, token = ''] =
    /^https:\/\/pay\.example\.com\/dashboard\/invitation\/([\w-]{43})$/.exec(created.invitation_url ?? '') ?? [];
  expect(await findInvitation(runner.database, hashUserToken(token))).toMatchObject({ userId: created.user_id });
  const hours = (Date.parse(created.invitation_expires_at ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);

  const again = await json(`user invite ${created.user_id}`);
  expect(again.invitation_url).not.toBe(created.invitation_url);
  expect(await findInvitation(runner.database, hashUserToken(token))).toBeNull();

  const alone = await runner.run(`user role ${created.user_id} --role viewer`);
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('The account needs an owner')]);
  const other = await json(`user create --account ${accountId} --email eve@example.com --role viewer --name Eve`);
  await json(`user role ${other.user_id} --role owner`);
  await json(`user remove ${created.user_id}`);
  const list = await runner.run(`user list --account ${accountId}`);
  expect(list.out).toBe(`${other.user_id}  owner  eve@example.com  Eve  never signed in`);

  const audit = (await auditOf(runner.database, created.user_id ?? '')) as { action: string; actor_kind: string }[];
  expect(audit.map(({ action, actor_kind: kind }) => `${action} by ${kind}`)).toEqual([
    'user.created by command',
    'user.invited by command',
    'user.invited by command',
    'user.removed by command',
  ]);
  expect(JSON.stringify(audit)).not.toContain(token);
});

test('limits a user to merchants, and removes the limit', async () => {
  const { accountId, merchantId: merchant } = runner.merchant;
  const json = async (line: string) => {
    const { code, out, err } = await runner.run(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const create = `user create --account ${accountId} --email books@example.com --role viewer`;
  const created = await json(`${create} --merchant ${merchant}`);
  expect(created.merchants).toEqual([merchant]);
  const list = await runner.run(`user list --account ${accountId}`);
  expect(list.out).toContain(`viewer  limited to ${merchant}  books@example.com`);
  const empty = await runner.run(`user limit ${created.user_id}`);
  expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('Choose at least one merchant')]);
  const promoted = await runner.run(`user role ${created.user_id} --role developer`);
  expect([promoted.code, promoted.err]).toEqual([1, expect.stringContaining('can be limited to merchants')]);
  expect((await json(`user limit ${created.user_id} --all`)).merchants).toBeNull();
  expect((await json(`user limit ${created.user_id} --merchant ${merchant}`)).merchants).toEqual([merchant]);
});

test.each([
  ['--email ada --role owner', 1, 'Enter a valid email address.'],
  ['--email twice@example.com --role owner', 1, 'A user of this account already has this email address.'],
  ['--email ada@example.com --role admin', 2, 'Allowed choices are owner, developer, support, viewer.'],
  ['--email ada@example.com', 2, "required option '--role <role>' not specified"],
])('rejects user create %s', async (options, code, message) => {
  const create = `user create --account ${runner.merchant.accountId}`;
  if (message.includes('already')) await runner.run(`${create} ${options.replace('owner', 'viewer')}`);
  const answer = await runner.run(`${create} ${options}`);
  expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(message)]);
});

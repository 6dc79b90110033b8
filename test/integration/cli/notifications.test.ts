/** `ringkey merchant notifications`: the URL, and the secret from a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, useCommandRunner } from './command-runner.ts';

const runner = useCommandRunner();
const SECRET = 'a-secret-of-the-sandbox';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

const notifications = (line = '', settings = {}) =>
  runner.run(`merchant notifications ${runner.merchant.merchantId}${line}`, settings);

async function secretFile(content: string): Promise<string> {
  const path = join(folder, 'secret');
  await writeFile(path, content);
  return path;
}

test('shows the URL, sets the secret in a file without showing it, replaces it and removes it', async () => {
  const { merchantId } = runner.merchant;
  await runner.database.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor) values ($1, $2, $3, 'sandbox')
     on conflict do nothing`,
    [merchantId, runner.merchant.accountId, runner.merchant.mode],
  );
  const shown = await notifications('', { RINGKEY_PUBLIC_URL: 'https://pay.example.com' });
  const url = `https://pay.example.com/hooks/processors/sandbox/${merchantId}`;
  expect(shown).toMatchObject({ code: 0, out: `${merchantId}  sandbox  no secret\n  url ${url}` });
  const set = await notifications(` --secret-file ${await secretFile(`${SECRET}\n`)}`);
  expect(set).toMatchObject({ code: 0, out: `${merchantId}  sandbox  secret set` });
  const replaced = await notifications(` --secret-file ${await secretFile(`${SECRET}-2`)} --json`);
  expect(JSON.parse(replaced.out)).toMatchObject({
    has_secret: true,
    previous_secret_until: expect.stringMatching(/Z$/),
  });
  const removed = await notifications(' --remove-secret');
  expect(removed).toMatchObject({ code: 0, out: `${merchantId}  sandbox  no secret` });
  expect(JSON.stringify([shown, set, replaced, removed])).not.toContain(SECRET);
  expect(await auditOf(runner.database, merchantId)).toMatchObject([
    { action: 'merchant.notification_secret_set', actor_kind: 'command' },
    { action: 'merchant.notification_secret_set', actor_kind: 'command' },
    { action: 'merchant.notification_secret_removed', actor_kind: 'command' },
  ]);
});

test('rejects an unreadable or empty file, a secret of another form, and an unknown merchant', async () => {
  expect(await notifications(` --secret-file ${folder}/none`)).toMatchObject({ code: 1, out: '' });
  expect(await notifications(` --secret-file ${await secretFile('  \n')}`)).toMatchObject({ code: 1, out: '' });
  const short = await notifications(` --secret-file ${await secretFile('short')}`);
  expect(short).toMatchObject({ code: 1, err: expect.stringContaining('notification_secret') });
  expect(await runner.run('merchant notifications mer_unknown')).toMatchObject({ code: 1, out: '' });
});

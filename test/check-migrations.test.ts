/** The check of migrations that CI runs, on git histories made for it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CHECK = fileURLToPath(new URL('../.ci/check-migrations.mjs', import.meta.url));
const BASELINE = 'create table charges ();\ncreate index charges_by_time on charges (created_at);';
const LOCK = `set local lock_timeout = '5s';\n`;

let repository: string;
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'ringkey-migrations-'));
  git('init', '--quiet');
  commit({ '0001_baseline.sql': BASELINE });
});
afterEach(() => rmSync(repository, { recursive: true }));

function git(...args: string[]) {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stderr } = spawnSync('git', ['-C', repository, ...identity, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** @param files name → content; null deletes one */
function commit(files: Record<string, string | null>) {
  const folder = join(repository, 'src/db/migrations');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), content);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Change migrations');
}

function check(of = repository) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, of], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('migrations that were only ever added pass', () => {
  commit({
    '0002_notes.sql': `${LOCK}create table notes ();\ncreate index notes_by_time on notes (created_at);`,
    '0003_index.mjs':
      "export function up(pgm) {\n  pgm.noTransaction();\n  pgm.sql(`set lock_timeout = '5s'`);\n" +
      "  pgm.sql('create index concurrently charges_by_amount on charges (amount)');\n}\n",
  });
  expect(check()).toEqual({ status: 0, stdout: '3 migrations checked, 0 problems\n', stderr: '' });
});

test.each<[string, Record<string, string | null>[], string]>([
  ['changed', [{ '0001_baseline.sql': `${BASELINE}\n-- more` }], '0001_baseline.sql was changed'],
  ['deleted', [{ '0002_a.sql': LOCK }, { '0002_a.sql': null }], '0002_a.sql was deleted'],
  ['renamed', [{ '0002_a.sql': LOCK }, { '0002_a.sql': null, '0002_b.sql': LOCK }], '0002_a.sql was deleted'],
  ['deleted and added again', [{ '0002_a.sql': LOCK }, { '0002_a.sql': null }, { '0002_a.sql': LOCK }], 'was changed'],
  [
    'without a lock timeout',
    [{ '0002_a.sql': '-- set local lock_timeout\nalter table charges add x int' }],
    'lock_timeout',
  ],
  ['with a blocking index', [{ '0002_a.sql': `${LOCK}create index a on charges (a);` }], 'not concurrently'],
  ['concurrent in SQL', [{ '0002_a.sql': `${LOCK}create index concurrently a on charges (a);` }], 'in a transaction'],
])('a migration %s is named', (_what, commits, problem) => {
  for (const files of commits) commit(files);
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining(problem) });
});

test('what was deleted before the baseline came does not count', () => {
  commit({ '0001_baseline.sql': null, '0001_schema.sql': BASELINE });
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});

test('without a history nothing is checked, and that is said', () => {
  const clone = join(repository, 'shallow');
  commit({ '0002_a.sql': LOCK });
  git('clone', '--quiet', '--depth=1', `file://${repository}`, clone);
  for (const place of [clone, tmpdir()]) {
    expect(check(place)).toMatchObject({ status: 0, stdout: expect.stringContaining('are not checked') });
  }
});

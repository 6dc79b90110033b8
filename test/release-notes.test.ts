import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../.ci/release-notes.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ringkey-notes-'));
const changelog = join(folder, 'CHANGELOG.md');
writeFileSync(
  changelog,
  '# Changelog\n\n## [1.10.0] - 2026-01-02\n\n- Ten\n\n## [1.1.0] - 2026-01-01\n\n### Added\n- One\n',
);
afterAll(() => rmSync(folder, { recursive: true }));

const notesOf = (version: string) => spawnSync(process.execPath, [SCRIPT, version, changelog], { encoding: 'utf8' });

test('release notes are the changelog section of the tag and nothing else', () => {
  expect(notesOf('v1.1.0')).toMatchObject({ status: 0, stdout: '### Added\n- One\n' });
  expect(notesOf('v1.10.0')).toMatchObject({ status: 0, stdout: '- Ten\n' });
});

test('a release without a changelog section is refused', () => {
  expect(notesOf('v2.0.0')).toMatchObject({ status: 1, stdout: '' });
});

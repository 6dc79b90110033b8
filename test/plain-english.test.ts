/** Keeps words out of the pages, docs and reference that make readers slow. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A word, and what to write. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(whoever|whom)\b/i, 'the noun: the user, the caller'],
  [/\b(nobody|somebody)\b/i, 'the noun: no user, an operator'],
  [/\b(of which|thereof|therein)\b/i, 'a second sentence'],
  [/\b(gives?|given|giving) back\b/i, 'refund'],
  [/\b(look-ups?|set-up|e-mails?)\b/i, 'lookup, setup, email'],
  [/\b(mended|begun|anew|by hand)\b/i, 'fixed, started, again, manually'],
  [/\b(colours?|dialled|dialling|cancelled|(recogn|organ|author)is(e|ed|es|ing))\b/i, 'the American spelling'],
];

/** Everything that integrators, operators and users read. The pages of other languages are not English. */
const READ = [
  /^README\.md$|^CHANGELOG\.md$|^\.github\/.*\.md$|^src\/http\/.*\.(md|tsx?)$|^src\/(contract|cli)\/(?:[\w-]+|attention-words\/en)\.ts$/,
  /^src\/config\/.*\.ts$|^src\/languages\/en\/.*\.ts$|^src\/lib\/observability\/.*\.ts$/,
  /^src\/local\/(standalone|scripted-caller)\/.*\.ts$|^src\/(app|accounts)\/.*\.ts$/,
];
/** The dashboard's words. */
const IN_OTHER_LANGUAGES = /^src\/http\/.*\/words\/(?:\w+\/)?(?:de|es|fr)\.tsx?$/;
const COMMENT = /^\s*(?:\/\/|\/?\*)|\/\*\*.*\*\/$/;

function linesOf(file: string): string[] {
  const lines = readFileSync(ROOT + file, 'utf8').split('\n');
  // Names in code spans are not ours: PostgreSQL can run as the user `nobody`.
  if (file.endsWith('.md')) return lines.map((line) => line.replace(/`[^`]*`/g, ''));
  return lines.map((line) => (COMMENT.test(line) ? '' : line.replace(/ \/\/ .*$|'nobody'/g, '')));
}

const files = ['README.md', 'CHANGELOG.md']
  .concat(...['src', '.github'].map((folder) => list(folder)))
  .filter(
    (file) =>
      READ.some((pattern) => pattern.test(file)) && !/\.test\.tsx?$/.test(file) && !IN_OTHER_LANGUAGES.test(file),
  );

function list(folder: string): string[] {
  const entries = readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' });
  return entries.map((entry) => `${folder}/${entry}`).filter((path) => /\.(md|tsx?)$/.test(path));
}

test('pages, docs and reference use plain words', () => {
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    linesOf(file).flatMap((line, at) =>
      WORDS.filter(([word]) => word.test(line)).map(
        ([word, instead]) => `${file}:${at + 1} "${word.exec(line)?.[0]}": write ${instead}`,
      ),
    ),
  );
  expect(found).toEqual([]);
});

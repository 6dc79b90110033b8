/**
 * Prints the changelog's section of one version, for the notes of its release.
 * Usage: node .ci/release-notes.mjs v1.2.3 [changelog]
 */
import { readFileSync } from 'node:fs';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const version = (argv[2] ?? '').replace(/^v/, '');
const file = argv[3] ?? fileURLToPath(new URL('../CHANGELOG.md', import.meta.url));
const sections = readFileSync(file, 'utf8').split(/^## /m);
const section = sections.find((text) => text.startsWith(`[${version}]`));
const notes = section?.slice(section.indexOf('\n')).trim();

if (!notes) {
  console.error(`The changelog has no notes for version "${version}". Add a section "## [${version}] - <date>".`);
  exit(1);
}
console.log(notes);

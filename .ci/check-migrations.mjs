/**
 * Checks that no landed migration was changed, by the git history, and that later ones do not stop a running service:
 * each limits its wait for locks, and builds indexes concurrently. Usage: node .ci/check-migrations.mjs [repository]
 */
import { execFileSync } from 'node:child_process';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const FOLDER = 'src/db/migrations/';
const root = argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const missing = missingHistory();
if (missing !== null) {
  console.log(`Migrations are not checked: ${missing}.`);
  exit(0);
}
const files = lines(git('ls-tree', '--name-only', 'HEAD', FOLDER)).sort();
const [baseline, ...later] = files;
const problems = [...files.flatMap(changes), ...deletions(), ...later.flatMap(unsafeStatements)];
for (const problem of problems) console.error(problem);
console.log(`${files.length} migrations checked, ${problems.length} problems`);
exit(problems.length === 0 ? 0 : 1);

/** Why there is no history to compare with: a tarball, a shallow clone. Null where there is one. */
function missingHistory() {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return 'this is a shallow clone';
    return git('ls-tree', '--name-only', 'HEAD', FOLDER) === '' ? 'the git history has none' : null;
  } catch (error) {
    return `git cannot read a history here (${error.code ?? 'no repository'})`;
  }
}

/** One commit adds a migration, and no other touches it. */
function changes(file) {
  const commits = lines(git('log', '--no-renames', '--format=%h', '--', file));
  if (commits.length === 1) return [];
  return [`${file} was changed after it had landed (${commits.join(', ')}): write a new migration.`];
}

/** Those that were removed since the baseline came. */
function deletions() {
  const added = git('log', '--no-renames', '--diff-filter=A', '--format=%H', '-1', '--', baseline);
  const log = git('log', '--no-renames', '--diff-filter=D', '--format=', '--name-only', `${added}..HEAD`, '--', FOLDER);
  return lines(log).map((file) => `${file} was deleted: databases that have it cannot be brought up to date.`);
}

function unsafeStatements(file) {
  const text = git('show', `HEAD:${file}`).replace(/--.*|\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '');
  const created = new Set(
    [...text.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?([\w."]+)/gi)].map(([, name]) => name),
  );
  const indexes = [...text.matchAll(/create\s+(?:unique\s+)?index\b(.*?)\bon\s+(?:only\s+)?([\w."]+)/gis)];
  const blocking = indexes.filter(([, words, table]) => !/concurrently/i.test(words) && !created.has(table));
  const isConcurrent = indexes.some(([, words]) => /concurrently/i.test(words));
  return [
    ...(/set\s+(local\s+)?lock_timeout/i.test(text) ? [] : [`${file} does not set lock_timeout.`]),
    ...blocking.map(([, , table]) => `${file} builds an index on ${table}, but not concurrently.`),
    // PostgreSQL refuses it within a transaction, and only a JavaScript migration can do without one.
    ...(isConcurrent && !/noTransaction/.test(text) ? [`${file} builds an index concurrently in a transaction.`] : []),
  ];
}

function git(...args) {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function lines(text) {
  return text === '' ? [] : text.split('\n');
}

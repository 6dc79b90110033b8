/**
 * `npm test` without a selection: two runs of Vitest beside each other, reported as one. Whole calls, SIP and RTP happen
 * in real time and mostly wait; all other tests keep the processor busy, so they run at a lower priority.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { execPath } from 'node:process';
import { inClone } from './run.mjs';

const VITEST = inClone('node_modules/vitest/vitest.mjs');
/** Nice: a third of the processor time of a call. With much less, the product's own time limits would end what it does. */
const AFTER_CALLS = 5;
/** The projects of vitest.config.ts. */
const RUNS = [
  { name: 'calls', projects: ['real time', 'calls'], priority: constants.priority.PRIORITY_NORMAL },
  { name: 'parts', projects: ['parts', 'apart'], priority: AFTER_CALLS },
];
const PROGRESS = inClone('test/support/progress-reporter.ts');

/**
 * Whether the arguments only say how to report. Any other, such as a file, a shard or `--watch`, selects tests, which
 * one run of Vitest then does.
 */
export const selectsAllTests = (args) => args.every((arg) => /^--(reporter|outputFile)(\.\w+)?=/.test(arg));

/**
 * Runs all tests.
 * @param reporting arguments for the report: `--reporter=…`, `--outputFile=…`
 * @returns the exit code: 0 if all tests pass
 */
export async function runAllTests(reporting) {
  const blobs = mkdtempSync(join(tmpdir(), 'ringkey-test-report-'));
  try {
    const codes = await Promise.all(RUNS.map((run) => runVitest(run, join(blobs, `${run.name}.json`))));
    const reporters = reporting.length === 0 ? ['--reporter=dot'] : reporting;
    const reported = await exitCode(vitest([`--merge-reports=${blobs}`, ...reporters]));
    return Math.max(...codes, reported);
  } finally {
    rmSync(blobs, { recursive: true, force: true });
  }
}

function runVitest({ projects, priority }, blob) {
  const only = projects.map((project) => `--project=${project}`);
  const child = vitest([...only, `--reporter=${PROGRESS}`, '--reporter=blob', `--outputFile.blob=${blob}`]);
  // Its workers, and the servers and browsers that they start, inherit the priority.
  if (child.pid !== undefined) setPriority(child.pid, priority);
  return exitCode(child);
}

function vitest(args) {
  const child = spawn(execPath, [VITEST, 'run', ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    // A terminal sends SIGINT to all of its processes, anything else only to this one.
    const forward = () => child.kill(signal);
    process.once(signal, forward);
    child.once('exit', () => process.removeListener(signal, forward));
  }
  return child;
}

function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

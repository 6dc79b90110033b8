/**
 * Programs of the system. Root with apt installs them from Debian's packages; other users, and those of macOS, see what
 * to install. The installation starts no service and enables none: Ringkey runs its own servers.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, getuid, platform } from 'node:process';
import { hasCommand, root, run, SetupError, step, tail } from './run.mjs';

const PACKAGE_OF = {
  'redis-server': 'redis-server',
  'espeak-ng': 'espeak-ng',
  sipp: 'sip-tester',
  chromium: 'chromium',
  curl: 'curl',
  nginx: 'nginx-light',
  'systemd-analyze': 'systemd',
  // With pg_dump and pg_restore of the same version, which npm's PostgreSQL lacks.
  pg_ctlcluster: 'postgresql',
};
/** Homebrew's names, where they differ. */
const FORMULA_OF = {
  'redis-server': 'redis',
  'sip-tester': 'sipp',
  'nginx-light': 'nginx',
  postgresql: 'postgresql@17',
};
/** Debian's, because another one on the path lacks the modules of Debian's packages. */
const PYTHON = '/usr/bin/python3';
/** What checks the types of a Python package and builds it. */
const PYTHON_PACKAGES = ['python3-build', 'python3-setuptools', 'python3-wheel', 'mypy'];
const POLICY = '/usr/sbin/policy-rc.d';
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.d';

/** Installs the programs that are missing. @throws SetupError saying what to install */
export function provideCommands(commands) {
  const missing = commands.filter((command) => !hasCommand(command)).map((command) => PACKAGE_OF[command]);
  if (missing.length > 0) install(missing);
}

/** Python with the modules that tests of the Python client need. */
export function providePython() {
  if (!run(PYTHON, ['-I', '-c', 'import build, setuptools, wheel, mypy']).ok) install(PYTHON_PACKAGES);
}

/** PostgreSQL's programs come from npm, or from Debian if those cannot be used (root with a closed folder). */
export async function providePostgres() {
  const { hasPostgres } = await import(new URL('dist/local/standalone/servers/postgres.js', root).href);
  if (!hasPostgres()) install(['postgresql']);
}

function install(packages) {
  const isRoot = getuid?.() === 0;
  if (!isRoot || !hasCommand('apt-get')) throw new SetupError(instructions(packages));
  const installing = () => (packages.includes('postgresql') ? withoutCluster(() => apt(packages)) : apt(packages));
  step(`installing from Debian: ${packages.join(', ')}`, () => withoutServices(installing));
  if (packages.includes('redis-server')) disable('redis-server');
  if (packages.includes('nginx-light')) disable('nginx');
}

const instructions = (packages) =>
  `Some programs that Ringkey needs are missing. Install them and start again:\n\n` +
  `  ${installCommand(packages)}\n\n` +
  `Their services do not have to run: Ringkey starts its own.`;

function installCommand(packages) {
  if (platform === 'darwin') return `brew install ${packages.map((name) => FORMULA_OF[name] ?? name).join(' ')}`;
  return `sudo apt-get update && sudo apt-get install --no-install-recommends ${packages.join(' ')}`;
}

/** The first try may fail because package lists are missing (a bare image) or old. */
function apt(packages) {
  const installing = () => aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
  if (installing().ok) return;
  const update = aptGet(['update']);
  const { ok, output } = installing();
  if (!ok) throw new SetupError(`apt-get could not install ${packages.join(', ')}:\n${tail(output + update.output)}`);
}

function aptGet(args) {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1', LC_ALL: 'C' };
  return run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3', ...args], {
    env: { ...env, ...quiet },
  });
}

/** Installs PostgreSQL's programs without the cluster that Debian would make and start at every boot. */
function withoutCluster(work) {
  mkdirSync(CLUSTER_SETTINGS, { recursive: true });
  const setting = join(CLUSTER_SETTINGS, 'ringkey.conf');
  writeFileSync(setting, 'create_main_cluster = false\n');
  try {
    work();
  } finally {
    rmSync(setting, { force: true });
  }
}

/**
 * Installs without starting services: Debian's policy file for that, see invoke-rc.d(8). An existing policy stays in
 * force.
 */
function withoutServices(work) {
  if (existsSync(POLICY)) return work();
  writeFileSync(POLICY, '#!/bin/sh\n# Put here by Ringkey while it installs packages; can be removed.\nexit 101\n', {
    mode: 0o755,
  });
  try {
    return work();
  } finally {
    rmSync(POLICY, { force: true });
  }
}

/**
 * Stops a service that a package brought, if the machine's policy let it start, and keeps it from starting at the next
 * boot.
 */
function disable(service) {
  run('invoke-rc.d', [service, 'stop']);
  run('update-rc.d', [service, 'disable']);
  run('deb-systemd-helper', ['disable', `${service}.service`]);
}

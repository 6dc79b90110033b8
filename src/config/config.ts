/** Reads the settings from environment variables. Only this file reads `process.env`. */
import { CannotStart } from '../lib/start-error.ts';
import { DEFAULT_SECRETS } from './call-settings.ts';
import { settingConflicts } from './conflicts.ts';
import { type Config, SETTINGS, SETTINGS_SCHEMA } from './settings.ts';

/** Reads the settings. An empty variable counts as unset. @throws ConfigError with every problem */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = SETTINGS_SCHEMA.safeParse(set);
  const problems = parsed.success
    ? settingConflicts(parsed.data)
    : parsed.error.issues.map(({ path: [name], message }) => `${String(name)} must be ${message}.`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new ConfigError([...new Set(problems)]);
}

/** Settings that cannot be used: `problems` has one line for each. */
export class ConfigError extends CannotStart {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Invalid settings:\n  ${problems.join('\n  ')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Refuses the daemons' default secrets in a process that takes calls: anyone who knows the secret of a daemon can take
 * calls over.
 * @throws ConfigError that names the settings
 */
export function requireEngineSecrets(config: Config): void {
  const needsNone = config.RINGKEY_ENGINE === 'builtin' || !config.RINGKEY_ROLES.includes('phone');
  if (needsNone || config.RINGKEY_DEMO) return;
  const names = Object.keys(DEFAULT_SECRETS) as (keyof typeof DEFAULT_SECRETS)[];
  const problems = names
    .filter((name) => config[name] === DEFAULT_SECRETS[name])
    .map(
      (name) => `${name} must not be the default, "${DEFAULT_SECRETS[name]}": set another one here and at the daemon.`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * Refuses an external database without encryption keys. For the private PostgreSQL, a key is created.
 * @throws ConfigError if there are no keys
 */
export function requireEncryptionKeys({ DATABASE_URL, RINGKEY_ENCRYPTION_KEYS }: Config): void {
  if (DATABASE_URL === undefined || RINGKEY_ENCRYPTION_KEYS.length > 0) return;
  throw new ConfigError([
    'RINGKEY_ENCRYPTION_KEYS must be set when DATABASE_URL is: without it, the database would store secrets in clear. Create a key with `openssl rand -base64 32`.',
  ]);
}

/** Whether the environment itself, not a default, sets the address that the service listens on. */
export function isServiceAddressSet(environment: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(environment.RINGKEY_HTTP_HOST || environment.RINGKEY_HTTP_PORT);
}

/** Turns the demo on for {@link readConfig}, unless the environment says otherwise. */
export function turnDemoOn(environment: NodeJS.ProcessEnv = process.env): void {
  environment.RINGKEY_DEMO ||= 'on';
}

/** Whether npx runs this process: then `ringkey` may not be on the path. */
export function isRunByNpx(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.npm_command === 'exec';
}

/** Variables of integrators' programs and of `ringkey mcp`, which are clients of a service. */
const CLIENT_VARIABLES = ['RINGKEY_URL', 'RINGKEY_KEY'];

/** The service that a client command uses, and its API key. Null if a variable is unset or empty. */
export function clientEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  const { RINGKEY_URL: url, RINGKEY_KEY: key } = environment;
  return { url: url === undefined || url === '' ? null : url, key: key === undefined || key === '' ? null : key };
}

/** Variables that look like settings but are none, such as a misspelled name. */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = [...SETTINGS, ...CLIENT_VARIABLES];
  return Object.keys(environment).filter((name) => /^ringkey_/i.test(name) && !known.includes(name));
}

/** Paths and locale. */
const CHILD_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'LD_LIBRARY_PATH',
  'ESPEAK_DATA_PATH',
];

/** The variables that child processes inherit: no settings and no secrets. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const inherited = CHILD_VARIABLES.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(inherited.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

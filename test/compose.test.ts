/** What docker/compose.yaml must hold, as far as its text shows without Docker. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const COMPOSE = read('docker/compose.yaml');
const TLS = read('docker/compose.tls.yaml');
const EXAMPLE = read('docker/example.env');
const named = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('one service builds the image, or current Docker refuses to build one tag several times', () => {
  expect(COMPOSE.match(/^ *build:/gm)).toHaveLength(1);
  expect(COMPOSE).toMatch(/^ {2}migrate:\n {4}<<: \*app\n {4}build:/m);
});

test('every setting that compose needs is in example.env', () => {
  const needed = named(/\$\{([A-Z_]+):\?/g, COMPOSE);
  expect(needed.length).toBeGreaterThan(3);
  expect([...new Set(needed)].filter((name) => !new RegExp(`^${name}=`, 'm').test(EXAMPLE))).toEqual([]);
});

test('every setting of example.env is one that compose reads', () => {
  const settings = named(/^([A-Z_]+)=/gm, EXAMPLE);
  expect(settings.filter((name) => !COMPOSE.includes(`\${${name}`))).toEqual([]);
});

// Of the built-in engine and the private servers, of one's own machine, of commands; or a container has its own.
const NOT_FOR_CONTAINERS = [
  'RINGKEY_DEMO',
  'RINGKEY_PRIVATE_TARGETS',
  'RINGKEY_TEST_CALLS',
  'RINGKEY_API_KEY',
  'RINGKEY_HOME',
  'RINGKEY_INSTANCE',
  'RINGKEY_SIP_HOST',
  'RINGKEY_SIP_PORT',
  'RINGKEY_RTP_PORTS',
  'RINGKEY_DATABASE_DIRECT_URL',
  'RINGKEY_POSTGRES_PORT',
  'RINGKEY_REDIS_PORT',
  'DRACHTIO_HOSTS',
  'FREESWITCH_HOSTS',
  'FREESWITCH_LISTEN_PORT',
  'FREESWITCH_SRV',
];

test('every other setting reaches a container', () => {
  const missing = SETTINGS.filter((name) => !new RegExp(`^ +${name}: `, 'm').test(COMPOSE));
  expect(missing.sort()).toEqual(NOT_FOR_CONTAINERS.sort());
});

test('the api is scaled without a port clash', () => {
  expect(COMPOSE).toMatch(/RINGKEY_HTTP_PORTS:-\d+-\d+\}:8080"/);
});

test('the media server takes two channels a call', () => {
  const [, channels] = /FREESWITCH_MAX_SESSIONS:-(\d+)/.exec(COMPOSE) ?? [];
  const [, calls] = /RINGKEY_MAX_CALLS:-(\d+)/.exec(COMPOSE) ?? [];
  expect(Number(channels)).toBeGreaterThanOrEqual(2 * Number(calls));
});

test('the commands at the head of the file are on the path of the image', () => {
  expect(COMPOSE).toContain('docker compose run --rm migrate ringkey account create');
  expect(read('docker/Dockerfile')).toMatch(/ln -s \/app\/dist\/main\.js \/usr\/local\/bin\/ringkey/);
  expect(read('src/main.ts')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('with TLS the SIP server has the arguments that it has without, for compose replaces a command as a whole', () => {
  const command = (text: string) => /- drachtio\n((?: {6}(?:-|#) .*\n)+)/.exec(text)?.[1] ?? '';
  expect(command(COMPOSE)).toContain('--external-ip');
  expect(command(TLS).startsWith(command(COMPOSE))).toBe(true);
});

/** Ports that Linux gives out to any program: net.ipv4.ip_local_port_range where it is not set. */
const EPHEMERAL = [32_768, 60_999] as const;

test('audio has ports that no other program gets by chance, the same in all files', () => {
  const freeswitch = read('sip/freeswitch/freeswitch.xml');
  const [first, last] = ['first', 'last'].map((end) =>
    Number(new RegExp(`data="rtp_port_${end}=(\\d+)"`).exec(freeswitch)?.[1]),
  );
  const builtIn = readConfig({}).RINGKEY_RTP_PORTS.split('-').map(Number);
  for (const [from = 0, to = 0] of [[first, last], builtIn]) {
    expect(from).toBeLessThan(to);
    expect(from > EPHEMERAL[1] || to + 1 < EPHEMERAL[0], `${from}-${to}`).toBe(true);
  }
  // The last one's RTCP has the port above it.
  expect(COMPOSE).toContain(`${first}-${Number(last) + 1} UDP`);
  expect(read('src/config/call-settings.ts')).toContain(`${first}-${Number(last) + 1}`);
});

test('FreeSWITCH plays nothing from a module that it does not load', () => {
  const freeswitch = read('sip/freeswitch/freeswitch.xml').replace(/<!--[\s\S]*?-->/g, '');
  const loads = (module: string) => freeswitch.includes(`<load module="${module}"/>`);
  const [, holdMusic = 'local_stream://moh'] = /cmd="set" data="hold_music=([^"]*)"/.exec(freeswitch) ?? [];
  const [, scheme] = /^(\w+):\/\//.exec(holdMusic) ?? [];
  expect(scheme === undefined || loads(`mod_${scheme}`), holdMusic).toBe(true);
});

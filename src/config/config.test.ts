import { describe, expect, test } from 'vitest';
import {
  ConfigError,
  childEnvironment,
  readConfig,
  requireEncryptionKeys,
  requireEngineSecrets,
  unknownSettings,
} from './config.ts';
import {
  allowedHosts,
  allowsPrivateTargets,
  mediaServersOf,
  sipServersOf,
  tlsPlacesOf,
  transferNumbersIn,
  trunkCredentialsIn,
  trunksIn,
} from './derived.ts';
import { SETTINGS } from './settings.ts';

test('defaults apply to all settings, and an empty variable counts as unset', () => {
  const config = readConfig({ RINGKEY_HTTP_PORT: '' });
  expect(config.RINGKEY_HTTP_PORT).toBe(8080);
  expect(config.RINGKEY_ROLES).toEqual(['phone', 'api', 'worker']);
  expect(config.RINGKEY_DEMO).toBe(false);
});

test('comma-separated lists and roles are split', () => {
  const config = readConfig({ RINGKEY_ROLES: 'api, worker', RINGKEY_TRUNKS: '192.0.2.0/24, 198.51.100.7,' });
  expect(config.RINGKEY_ROLES).toEqual(['api', 'worker']);
  expect(config.RINGKEY_TRUNKS).toEqual(['192.0.2.0/24', '198.51.100.7']);
});

test('direct trunks must be part of the trunks', () => {
  expect(() => readConfig({ RINGKEY_STIR_ROOTS: '/roots.pem' })).toThrow(
    /RINGKEY_DIRECT_TRUNKS must be set when RINGKEY_STIR_ROOTS is/,
  );
  const trunks = { RINGKEY_TRUNKS: '192.0.2.0/24' };
  expect(readConfig({ ...trunks, RINGKEY_DIRECT_TRUNKS: '192.0.2.7' }).RINGKEY_DIRECT_TRUNKS).toEqual(['192.0.2.7']);
  expect(() => readConfig({ ...trunks, RINGKEY_DIRECT_TRUNKS: '192.0.2.7,192.0.3.0/24' })).toThrow(
    /RINGKEY_DIRECT_TRUNKS must be part of RINGKEY_TRUNKS, and 192\.0\.3\.0\/24 is not/,
  );
});

test.each<[Record<string, string>, { address: string; port: number }[]]>([
  [{}, [{ address: '127.0.0.1', port: 8021 }]],
  [{ FREESWITCH_HOST: 'fs', FREESWITCH_PORT: '9' }, [{ address: 'fs', port: 9 }]],
  [{ FREESWITCH_HOSTS: 'fs-1, fs-1:8021' }, [{ address: 'fs-1', port: 8021 }]],
  [{ FREESWITCH_HOST: 'fs', FREESWITCH_SRV: '_freeswitch._tcp.example.com.' }, []],
  [{ FREESWITCH_HOSTS: 'fs-1', FREESWITCH_SRV: 'fs.service.consul' }, [{ address: 'fs-1', port: 8021 }]],
  [
    { FREESWITCH_HOSTS: '10.0.0.5, fs-2:8022', FREESWITCH_PORT: '9' },
    [
      { address: '10.0.0.5', port: 9 },
      { address: 'fs-2', port: 8022 },
    ],
  ],
])('settings %j name the media servers %j', (environment, servers) => {
  expect(mediaServersOf(readConfig(environment))).toEqual(servers);
});

test.each(['fs', '_freeswitch._tcp.example.com:8021', 'a b.example.com', '.example.com'])(
  'FREESWITCH_SRV %j is refused',
  (name) => {
    expect(() => readConfig({ FREESWITCH_SRV: name })).toThrow('FREESWITCH_SRV must be a full DNS name');
  },
);

test.each<[Record<string, string>, { address: string; port: number }[]]>([
  [{}, [{ address: '127.0.0.1', port: 9022 }]],
  [
    { DRACHTIO_HOSTS: 'sip-1, sip-2:9023', DRACHTIO_HOST: 'other', DRACHTIO_PORT: '9' },
    [
      { address: 'sip-1', port: 9 },
      { address: 'sip-2', port: 9023 },
    ],
  ],
])('settings %j name the SIP servers %j', (environment, servers) => {
  expect(sipServersOf(readConfig(environment))).toEqual(servers);
});

test('all invalid settings are reported together', () => {
  const wrong = { RINGKEY_HTTP_PORT: '70000', RINGKEY_DEMO: 'yes', RINGKEY_ROLES: 'cook', RINGKEY_RTP_PORTS: 'all' };
  Object.assign(wrong, { RINGKEY_TRUNKS: '192.0.2.0/24, trunk.example.com' });
  const names = (() => {
    try {
      readConfig(wrong);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map((problem) => problem.split(' ')[0]);
    }
  })();
  expect(names.sort()).toEqual(Object.keys(wrong).sort());
});

test.each([
  [{ RINGKEY_HTTP_PORT: '70000' }, 'RINGKEY_HTTP_PORT must be a whole number from 0 to 65535.'],
  [{ RINGKEY_MAX_CALLS: 'many' }, 'RINGKEY_MAX_CALLS must be a whole number from 1 to 10000.'],
  [{ RINGKEY_DEMO: 'yes' }, 'RINGKEY_DEMO must be on or off.'],
  [{ RINGKEY_SMS: 'twillio' }, 'RINGKEY_SMS must be log, twilio, or telnyx.'],
  [
    { RINGKEY_ROLES: 'cook,waiter' },
    'RINGKEY_ROLES must be phone, api or worker, or several of these separated by commas.',
  ],
  [{ RINGKEY_LINK_URL: 'pay.example.com' }, 'RINGKEY_LINK_URL must be an http or https URL without a path.'],
])('settings %j are refused with one sentence: %s', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(expect.objectContaining({ problems: [sentence] }));
});

test('problems use our own sentences, without the invalid value', () => {
  const nonsense = `\u0007 ~${'x'.repeat(200)}`;
  const problems = SETTINGS.flatMap((name) => {
    try {
      readConfig({ [name]: nonsense });
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems;
    }
  });
  expect(problems.length).toBeGreaterThan(40);
  expect(problems.filter((problem) => !/^[A-Z_]+ must be [A-Za-z].*[^.]\.$/.test(problem))).toEqual([]);
  expect(problems.filter((problem) => /invalid|expected|received|~/i.test(problem))).toEqual([]);
});

test('unknown variables with the prefix RINGKEY_ are listed', () => {
  const environment = {
    RINGKEY_HTTP_PROT: '1',
    // Of clients, such as `ringkey mcp`.
    RINGKEY_URL: 'http://127.0.0.1:8080',
    RINGKEY_KEY: 'x',
    Ringkey_demo: 'on',
    RINGKEY_DEMO: 'on',
    PATH: '/bin',
    DATABASE_UR: 'x',
  };
  expect(unknownSettings(environment)).toEqual(['RINGKEY_HTTP_PROT', 'Ringkey_demo']);
});

test('an external database needs encryption keys, the private one does not', () => {
  const start = (settings: Record<string, string>) => () => requireEncryptionKeys(readConfig(settings));
  const outside = { DATABASE_URL: 'postgres://127.0.0.1/ringkey' };
  expect(start(outside)).toThrow(/RINGKEY_ENCRYPTION_KEYS must be set when DATABASE_URL is/);
  expect(start({ ...outside, RINGKEY_DEMO: 'on' })).toThrow(ConfigError);
  const key = Buffer.alloc(32, 1).toString('base64');
  expect(start({ ...outside, RINGKEY_ENCRYPTION_KEYS: key })).not.toThrow();
  expect(start({})).not.toThrow();
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ RINGKEY_DEMO: 'on' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_HTTP_HOST: '::1' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_HTTP_HOST: '0.0.0.0' }, false],
  [{ RINGKEY_DEMO: 'on', RINGKEY_TRUSTED_PROXIES: '127.0.0.1' }, false],
  [{ RINGKEY_DEMO: 'on', RINGKEY_PUBLIC_URL: 'https://demo.example.com' }, false],
  [{ RINGKEY_DEMO: 'on', RINGKEY_LINK_URL: 'https://demo.example.com' }, false],
  [{ RINGKEY_HTTP_HOST: '0.0.0.0', RINGKEY_PRIVATE_TARGETS: 'on' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_PRIVATE_TARGETS: 'off' }, false],
])('with %j, URLs of test mode can lead to private addresses: %s', (environment, expected) => {
  expect(allowsPrivateTargets(readConfig(environment))).toBe(expected);
});

test.each<[Record<string, string>, string[] | null]>([
  [{}, null],
  [{ RINGKEY_DEMO: 'on' }, []],
  [{ RINGKEY_DEMO: 'on', RINGKEY_LINK_URL: 'https://pay.example.com' }, ['pay.example.com']],
  [
    { RINGKEY_DEMO: 'on', RINGKEY_PUBLIC_URL: 'https://a.example.com', RINGKEY_LINK_URL: 'https://b.example.com:81' },
    ['a.example.com', 'b.example.com'],
  ],
])('with %j, the hosts accepted in addition to loopback are %j', (environment, hosts) => {
  expect(allowedHosts(readConfig(environment))).toEqual(hosts);
});

test('transfer numbers have owners, except RINGKEY_TRANSFER_NUMBER', () => {
  const [one, other] = ['+15550109991=acct_a:live', '+15550109992=acct_b:test'];
  const numbers = { RINGKEY_TRANSFER_NUMBERS: `${one}, ${other}`, RINGKEY_TRANSFER_NUMBER: '+15550109999' };
  expect(transferNumbersIn(readConfig(numbers))).toEqual({
    owned: [
      { number: '+15550109991', accountId: 'acct_a', mode: 'live' },
      { number: '+15550109992', accountId: 'acct_b', mode: 'test' },
    ],
    unassigned: '+15550109999',
  });
  expect(transferNumbersIn(readConfig({}))).toEqual({ owned: [], unassigned: null });
});

test.each<[Record<string, string>, string[], string[]]>([
  [{ RINGKEY_DEMO: 'on' }, ['+15550109999'], ['127.0.0.0/8']],
  [{}, [], []],
  [{ RINGKEY_DEMO: 'on', RINGKEY_PUBLIC_URL: 'https://demo.example.com' }, [], []],
  [{ RINGKEY_DEMO: 'on', RINGKEY_ENGINE: 'external' }, [], []],
  [{ RINGKEY_DEMO: 'on', RINGKEY_TRUNKS: '192.0.2.7' }, [], ['192.0.2.7']],
  [{ RINGKEY_DEMO: 'on', RINGKEY_TRANSFER_NUMBERS: '+15550109991=acct_a:test' }, ['+15550109991'], ['127.0.0.0/8']],
])('with %j, the numbers are %j and the trunks %j', (environment, numbers, trunks) => {
  const config = readConfig(environment);
  expect(transferNumbersIn(config).owned.map(({ number }) => number)).toEqual(numbers);
  expect(trunksIn(config)).toEqual(trunks);
});

test.each<Record<string, string>>([
  { RINGKEY_TRANSFER_NUMBER: '5550109999' },
  { RINGKEY_TRANSFER_NUMBERS: '+15550109999' },
  { RINGKEY_TRANSFER_NUMBERS: '+15550109999=acct_a' },
  { RINGKEY_TRANSFER_NUMBERS: '+15550109999=acct_a:live,+15550109999=acct_b:live' },
])('transfer numbers %j are refused', (environment) => {
  expect(() => readConfig(environment)).toThrow(Object.keys(environment)[0]);
});

test('encryption keys have 32 bytes each and never appear in a problem', () => {
  const keys = ['k'.repeat(32), '\u00ff'.repeat(32)].map((text) => Buffer.from(text, 'latin1'));
  const [base64, urlSafe] = [keys[0]?.toString('base64'), keys[1]?.toString('base64url')];
  expect(readConfig({ RINGKEY_ENCRYPTION_KEYS: `${base64}, ${urlSafe}` }).RINGKEY_ENCRYPTION_KEYS).toEqual(keys);
  expect(readConfig({}).RINGKEY_ENCRYPTION_KEYS).toEqual([]);
  const short = Buffer.from('a secret that is too short').toString('base64');
  expect(() => readConfig({ RINGKEY_ENCRYPTION_KEYS: `${base64},${short}` })).toThrow(
    expect.objectContaining({ problems: [expect.not.stringContaining(short)] }),
  );
});

describe("the daemons' default secrets", () => {
  const start = (settings: Record<string, string>) => () => requireEngineSecrets(readConfig(settings));
  const EXTERNAL = { RINGKEY_ENGINE: 'external' };

  test('are refused by name in a process that takes calls', () => {
    expect(start(EXTERNAL)).toThrow(
      expect.objectContaining({
        problems: [
          expect.stringMatching(/^DRACHTIO_SECRET must not be /),
          expect.stringMatching(/^FREESWITCH_SECRET must not be /),
        ],
      }),
    );
    expect(start({ ...EXTERNAL, DRACHTIO_SECRET: 'x1', FREESWITCH_SECRET: 'ClueCon' })).toThrow(
      expect.objectContaining({ problems: [expect.stringMatching(/^FREESWITCH_SECRET must not be /)] }),
    );
  });

  test.each([
    { ...EXTERNAL, DRACHTIO_SECRET: 'x1', FREESWITCH_SECRET: 'x2' },
    { ...EXTERNAL, RINGKEY_DEMO: 'on' },
    { ...EXTERNAL, RINGKEY_ROLES: 'api,worker' },
    {},
  ])('are accepted with %j', (settings) => {
    expect(start(settings)).not.toThrow();
  });
});

test('child processes inherit no settings and no secrets', () => {
  const ours = Object.fromEntries(SETTINGS.map((name) => [name, 'secret']));
  const theirs = { STRIPE_SECRET_KEY: 'x', AWS_SECRET_ACCESS_KEY: 'x', PGPASSWORD: 'x', NODE_OPTIONS: '--inspect' };
  expect(childEnvironment({ ...ours, ...theirs, PATH: '/usr/bin', LANG: 'C' })).toEqual({
    PATH: '/usr/bin',
    LANG: 'C',
  });
});

test('an SMS carrier needs its own settings', () => {
  expect(() =>
    readConfig({ RINGKEY_SMS: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', RINGKEY_SMS_FROM: '+15550109999' }),
  ).toThrow(
    expect.objectContaining({
      problems: [
        'TWILIO_AUTH_TOKEN must be set when RINGKEY_SMS is twilio.',
        'RINGKEY_PUBLIC_URL must be set when RINGKEY_SMS is twilio.',
      ],
    }),
  );
  expect(() => readConfig({ TELNYX_PUBLIC_KEY: 'short' })).toThrow(
    'TELNYX_PUBLIC_KEY must be a key of 32 bytes in base64.',
  );
  expect(readConfig({ RINGKEY_PUBLIC_URL: 'https://pay.example.com/' }).RINGKEY_PUBLIC_URL).toBe(
    'https://pay.example.com',
  );
});

test('credentials of return targets are parsed and never appear in a problem', () => {
  const good = readConfig({ RINGKEY_RETURN_CREDENTIALS: 'pbx.example.com=line:a, acct_1@pbx.example.com=one:b' });
  expect(good.RINGKEY_RETURN_CREDENTIALS.map(({ accountId, password }) => [accountId, password])).toEqual([
    [null, 'a'],
    ['acct_1', 'b'],
  ]);
  const wrong = () => readConfig({ RINGKEY_RETURN_CREDENTIALS: 'pbx.example.com:hunter2' });
  expect(wrong).toThrow(ConfigError);
  expect(wrong).not.toThrow(/hunter2/);
});

test("the trunk's user name and password must both be set, or neither", () => {
  const both = { RINGKEY_TRUNK_USERNAME: 'line', RINGKEY_TRUNK_PASSWORD: 'x' };
  expect(trunkCredentialsIn(readConfig(both))).toEqual({ username: 'line', password: 'x' });
  expect(trunkCredentialsIn(readConfig({}))).toBeNull();
  expect(() => readConfig({ RINGKEY_TRUNK_USERNAME: 'line' })).toThrow(/RINGKEY_TRUNK_PASSWORD/);
});

test.each([
  { RINGKEY_SRTP: 'optional' },
  { RINGKEY_SIP_SCHEME: 'sips' },
  { RINGKEY_SIP_DOMAIN: 'pay.example.com:5061;transport=tls' },
])('the built-in engine refuses encryption: %j', (setting) => {
  expect(() => readConfig(setting)).toThrow('the built-in engine has no encryption');
  const outside = { RINGKEY_ENGINE: 'external', DRACHTIO_SECRET: 'd'.repeat(20), FREESWITCH_SECRET: 'f'.repeat(20) };
  expect(readConfig({ ...setting, ...outside })).toMatchObject(setting);
});

test('a synthesizer needs its API key or URL', () => {
  for (const [name, needs] of [
    ['openai', 'OPENAI_API_KEY or RINGKEY_TTS_URL'],
    ['google', 'GOOGLE_TTS_API_KEY'],
    ['polly', 'RINGKEY_POLLY_REGION'],
    ['elevenlabs', 'ELEVENLABS_API_KEY'],
  ] as const) {
    expect(() => readConfig({ RINGKEY_SYNTHESIZER: name })).toThrow(
      `${needs} must be set when RINGKEY_SYNTHESIZER is ${name}.`,
    );
  }
  const own = readConfig({ RINGKEY_SYNTHESIZER: 'openai', RINGKEY_TTS_URL: 'http://127.0.0.1:8880/v1/' });
  expect(own.RINGKEY_TTS_URL).toBe('http://127.0.0.1:8880/v1');
  const half = { RINGKEY_POLLY_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'AKIA' };
  expect(() => readConfig(half)).toThrow(/must both be set, or neither/);
});

test.each<[Record<string, string>, { host: string; port: number }[]]>([
  [{}, []],
  [{ RINGKEY_PUBLIC_URL: 'http://localhost:8080', RINGKEY_SIP_DOMAIN: 'sip.example.com' }, []],
  [
    { RINGKEY_PUBLIC_URL: 'https://pay.example.com/', RINGKEY_LINK_URL: 'https://pay.example.com/' },
    [{ host: 'pay.example.com', port: 443 }],
  ],
  [
    {
      RINGKEY_LINK_URL: 'https://p.example.com:8443/',
      RINGKEY_SIP_SCHEME: 'sips',
      RINGKEY_SIP_DOMAIN: 'sip.example.com',
    },
    [
      { host: 'p.example.com', port: 8_443 },
      { host: 'sip.example.com', port: 5_061 },
    ],
  ],
  [{ RINGKEY_SIP_DOMAIN: '[2001:db8::1]:5071;transport=tls' }, [{ host: '2001:db8::1', port: 5_071 }]],
])('the addresses with a certificate of %o are %o', (environment, places) => {
  expect(tlsPlacesOf(readConfig({ RINGKEY_ENGINE: 'external', ...environment }))).toEqual(places);
});

import { expect, test } from 'vitest';
import { allowsPrivateTargets, ConfigError, mediaServersOf, readConfig } from './config.ts';

test('nothing set is a configuration; an empty variable counts as unset', () => {
  const config = readConfig({ RINGKEY_HTTP_PORT: '' });
  expect(config.RINGKEY_HTTP_PORT).toBe(8080);
  expect(config.RINGKEY_ROLES).toEqual(['phone', 'api', 'worker']);
  expect(config.RINGKEY_DEMO).toBe(false);
});

test('lists are taken apart, roles too', () => {
  const config = readConfig({ RINGKEY_ROLES: 'api, worker', RINGKEY_TRUNKS: '192.0.2.0/24, 198.51.100.7,' });
  expect(config.RINGKEY_ROLES).toEqual(['api', 'worker']);
  expect(config.RINGKEY_TRUNKS).toEqual(['192.0.2.0/24', '198.51.100.7']);
});

test.each<[Record<string, string>, { address: string; port: number }[]]>([
  [{}, [{ address: '127.0.0.1', port: 8021 }]],
  [{ FREESWITCH_HOST: 'fs', FREESWITCH_PORT: '9' }, [{ address: 'fs', port: 9 }]],
  [
    { FREESWITCH_HOSTS: '10.0.0.5, fs-2:8022', FREESWITCH_PORT: '9' },
    [
      { address: '10.0.0.5', port: 9 },
      { address: 'fs-2', port: 8022 },
    ],
  ],
])('%j: the media servers are %j', (environment, servers) => {
  expect(mediaServersOf(readConfig(environment))).toEqual(servers);
});

test('every problem is named at once', () => {
  const wrong = { RINGKEY_HTTP_PORT: '70000', RINGKEY_DEMO: 'yes', RINGKEY_ROLES: 'cook', RINGKEY_RTP_PORTS: 'all' };
  Object.assign(wrong, { RINGKEY_TRUNKS: '192.0.2.0/24, trunk.example.com' });
  const names = (() => {
    try {
      readConfig(wrong);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map((problem) => problem.split(/[.:]/)[0]);
    }
  })();
  expect(names.sort()).toEqual(Object.keys(wrong).sort());
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ RINGKEY_DEMO: 'on' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_HTTP_HOST: '::1' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_HTTP_HOST: '0.0.0.0' }, false],
  [{ RINGKEY_DEMO: 'on', RINGKEY_TRUSTED_PROXIES: '127.0.0.1' }, false],
  [{ RINGKEY_DEMO: 'on', RINGKEY_PUBLIC_URL: 'https://demo.example.com' }, false],
  [{ RINGKEY_HTTP_HOST: '0.0.0.0', RINGKEY_PRIVATE_TARGETS: 'on' }, true],
  [{ RINGKEY_DEMO: 'on', RINGKEY_PRIVATE_TARGETS: 'off' }, false],
])('%j: URLs of test mode may lead to private addresses: %s', (environment, expected) => {
  expect(allowsPrivateTargets(readConfig(environment))).toBe(expected);
});

test('encryption keys are 32 bytes each, and never told in a problem', () => {
  const keys = ['k'.repeat(32), '\u00ff'.repeat(32)].map((text) => Buffer.from(text, 'latin1'));
  const [base64, urlSafe] = [keys[0]?.toString('base64'), keys[1]?.toString('base64url')];
  expect(readConfig({ RINGKEY_ENCRYPTION_KEYS: `${base64}, ${urlSafe}` }).RINGKEY_ENCRYPTION_KEYS).toEqual(keys);
  expect(readConfig({}).RINGKEY_ENCRYPTION_KEYS).toEqual([]);
  const short = Buffer.from('a secret that is too short').toString('base64');
  expect(() => readConfig({ RINGKEY_ENCRYPTION_KEYS: `${base64},${short}` })).toThrow(
    expect.objectContaining({ problems: [expect.not.stringContaining(short)] }),
  );
});

test('a carrier of texts needs its own settings', () => {
  expect(() =>
    readConfig({ RINGKEY_SMS: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', RINGKEY_SMS_FROM: '+15550109999' }),
  ).toThrow(
    expect.objectContaining({
      problems: [
        'TWILIO_AUTH_TOKEN: needed with RINGKEY_SMS=twilio',
        'RINGKEY_PUBLIC_URL: needed with RINGKEY_SMS=twilio',
      ],
    }),
  );
  expect(() => readConfig({ TELNYX_PUBLIC_KEY: 'short' })).toThrow('base64 of 32 bytes');
  expect(readConfig({ RINGKEY_PUBLIC_URL: 'https://pay.example.com/' }).RINGKEY_PUBLIC_URL).toBe(
    'https://pay.example.com',
  );
});

import { expect, test } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

test.each(['redis://:secret@127.0.0.1:6379/0', 'rediss://host', '/run/redis.sock', 'host:6379'])(
  '%s names a single server',
  (url) => {
    expect(parseRedisUrl(url)).toEqual({ kind: 'single', url });
  },
);

test('a Sentinel URL names the Sentinels, the master, the credentials and the database', () => {
  const url = 'rediss+sentinel://app:p%40ss@s1,s2:26380,[::1]:26381/mymaster/2?sentinel_password=watch%21';
  expect(parseRedisUrl(url)).toEqual({
    kind: 'sentinel',
    nodes: [
      { host: 's1', port: 26_379 },
      { host: 's2', port: 26_380 },
      { host: '::1', port: 26_381 },
    ],
    access: { username: 'app', password: 'p@ss', tls: {} },
    master: 'mymaster',
    database: 2,
    sentinelPassword: 'watch!',
  });
  expect(parseRedisUrl('redis+sentinel://s1/mymaster')).toEqual({
    kind: 'sentinel',
    nodes: [{ host: 's1', port: 26_379 }],
    access: {},
    master: 'mymaster',
    database: 0,
  });
});

test('a cluster URL names some of its nodes and the credentials', () => {
  expect(parseRedisUrl('redis+cluster://:a:b@n1:7000,n2')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'n1', port: 7_000 },
      { host: 'n2', port: 6_379 },
    ],
    access: { password: 'a:b' },
  });
});

test.each([
  'redis+sentinel://s1:26379',
  'redis+sentinel:///mymaster',
  'redis+sentinel://s1,,s2/mymaster',
  'redis+cluster://n1/0/0',
  'redis+cluster://n1/name',
  'redis+cluster://n1:port',
  'redis+cluster://%zz@n1',
  'redis+ring://n1',
])('%s is malformed', (url) => {
  expect(parseRedisUrl(url)).toBeNull();
});

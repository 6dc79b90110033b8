import { expect, test } from 'vitest';
import { rateLimitedAddress } from './rate-limiter.ts';

const socket = { remoteAddress: '198.51.100.9' };

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', '198.51.100.9'],
  ['', '198.51.100.9'],
])('counts requests from %s as %s', (ip, counted) => {
  expect(rateLimitedAddress({ ip, socket })).toBe(counted);
});

test('counts requests of a closed connection as unknown', () => {
  expect(rateLimitedAddress({ ip: '', socket: {} })).toBe('unknown');
});

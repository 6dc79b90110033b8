import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ForbiddenAddress, isLoopbackHost, isPublicAddress, isPublicHost, publicLookup } from './public-addresses.ts';

test.each([
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '2001:db8::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'no address',
  // Deprecated IPv4-compatible addresses, and ranges that are not assigned yet.
  '::7f00:1',
  '::a9fe:a9fe',
  '::808:808',
  '4000::1',
  '100:0:0:1::1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('a host says what it can without DNS', () => {
  for (const host of ['example.com', '8.8.8.8', '2606:4700:4700::1111']) expect(isPublicHost(host)).toBe(true);
  for (const host of ['localhost', 'a.localhost', 'intranet', 'db.internal', 'printer.local', '127.0.0.1', '::1']) {
    expect(isPublicHost(host)).toBe(false);
  }
  for (const host of ['localhost', '127.0.0.1', '::1']) expect(isLoopbackHost(host)).toBe(true);
  for (const host of ['10.0.0.1', 'example.com', 'localhost.example.com']) expect(isLoopbackHost(host)).toBe(false);
});

test('a name that leads to this machine is not looked up for a socket', async () => {
  const look = promisify(publicLookup);
  await expect(look('localhost', {})).rejects.toThrow(ForbiddenAddress);
  await expect(look('localhost', { all: true })).rejects.toThrow(ForbiddenAddress);
});

import { describe, expect, it } from 'vitest';
import { type HostResolver, nextHopOf } from './next-hop.ts';

const NAMES: Record<string, string[]> = {
  'agents.example.com': ['203.0.112.7', '203.0.112.8'],
  'one.example.com': ['203.0.112.9'],
  'rebound.example.com': ['203.0.112.7', '127.0.0.1'],
  'inside.example.com': ['10.0.0.5'],
  'six.example.com': ['2a00:1450:4001:81c::200e'],
  'both.example.com': ['2a00:1450:4001:81c::200e', '203.0.112.6'],
};
const RESOLVER: HostResolver = {
  addresses: async (host) => NAMES[host] ?? Promise.reject(new Error('ENOTFOUND')),
  srv: async (name) => {
    const records = [
      { name: 'agents.example.com', port: 5070, priority: 20 },
      { name: 'one.example.com', port: 5080, priority: 10 },
    ];
    return /^(_sip\._udp|_sips\._tcp)\.served\.example\.com$/.test(name)
      ? records
      : Promise.reject(new Error('ENOTFOUND'));
  },
};
const hop = (uri: string, isAllowed = (_address: string) => false) => nextHopOf(uri, isAllowed, RESOLVER);

describe('the next hop', () => {
  const hopsOf = (transport: string) =>
    ['203.0.112.9:5080', '203.0.112.7:5070', '203.0.112.8:5070'].map((host) => `sip:${host};transport=${transport}`);

  it.each([
    ['sip:agent@agents.example.com', 'sip:203.0.112.7:5060;transport=udp', 'sip:203.0.112.8:5060;transport=udp'],
    [
      'sip:agent@agents.example.com:5071;transport=TCP',
      'sip:203.0.112.7:5071;transport=tcp',
      'sip:203.0.112.8:5071;transport=tcp',
    ],
    ['sips:agents.example.com', 'sip:203.0.112.7:5061;transport=tls', 'sip:203.0.112.8:5061;transport=tls'],
    ['sip:203.0.112.1', 'sip:203.0.112.1:5060;transport=udp'],
    ['sip:a@six.example.com', 'sip:[2a00:1450:4001:81c::200e]:5060;transport=udp'],
    ['sip:a@[2a00:1450:4001:81c::200e]:5062', 'sip:[2a00:1450:4001:81c::200e]:5062;transport=udp'],
    ['sip:a@served.example.com', ...hopsOf('udp')],
    ['sips:a@served.example.com', ...hopsOf('tls')],
    // IPv4 first, in any order of DNS.
    [
      'sip:a@both.example.com',
      'sip:203.0.112.6:5060;transport=udp',
      'sip:[2a00:1450:4001:81c::200e]:5060;transport=udp',
    ],
  ])('of %s is %s', async (target, uri, ...more) => {
    expect(await hop(target)).toMatchObject({ uris: [uri, ...more] });
  });

  it.each([
    'sip:a@127.0.0.1:5080',
    'sip:a@[::1]',
    'sip:a@[::ffff:127.0.0.1]',
    'sip:a@169.254.169.254',
    'sip:a@224.0.0.1',
    'sip:a@inside.example.com',
    'sip:a@rebound.example.com',
    'sip:a@0.0.0.0',
    'sip:a@192.168.1.1:5060',
  ])('of %s is forbidden', async (target) => {
    expect(await hop(target)).toEqual({ refused: 'forbidden' });
  });

  it('may be an address that the operator allows', async () => {
    expect(await hop('sip:a@127.0.0.1:5080', (address) => address === '127.0.0.1')).toEqual({
      uris: ['sip:127.0.0.1:5080;transport=udp'],
    });
  });

  it('of a name that does not resolve is unknown', async () => {
    expect(await hop('sip:a@nowhere.example.com')).toEqual({ refused: 'unknown' });
  });
});

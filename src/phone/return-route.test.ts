import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUserToUser, verifyOutcomeHeaders } from '../../test/support/outcome-headers.ts';
import { newId } from '../domain/ids.ts';
import type { OutcomeFacts } from '../domain/outcome.ts';
import { returnRoute } from './return-route.ts';

const SECRET = Buffer.alloc(32, 9).toString('base64');
const AT = new Date('2026-11-20T12:00:00Z');
const HOP = 'sip:203.0.113.7:5060;transport=udp';
const OPTIONS = {
  signingSecret: SECRET,
  trunkTarget: null,
  nextHops: [HOP],
  at: AT,
  trunkCredentials: null,
  hostCredentials: () => null,
};

const facts = (change: Partial<OutcomeFacts> = {}): OutcomeFacts => ({
  outcome: { kind: 'succeeded', chargeId: newId('Charge') },
  sessionId: newId('CheckoutSession'),
  amount: { amountCents: 4_250, currency: 'USD' },
  orderId: 'order_1001',
  platformCallId: 'CA5ef8732a3c49700934481addd5ce1659',
  ...change,
});

function headersInside(uri: string): Record<string, string> {
  const query = uri.slice(uri.indexOf('?') + 1);
  return Object.fromEntries(
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, decodeURIComponent(value)];
    }),
  );
}

describe('the route of the return', () => {
  it('refers to the agent with every header, on the REFER and in Refer-To', () => {
    const route = returnRoute('sip:agent@127.0.0.1:5090;transport=tcp', facts({ platformCallId: null }), OPTIONS);
    expect(route?.refer.uri.startsWith('sip:agent@127.0.0.1:5090;transport=tcp?X-Ringkey-Outcome=succeeded&')).toBe(
      true,
    );
    const { 'User-to-User': _onTheRefer, ...inside } = route?.refer.headers ?? {};
    expect(_onTheRefer).toBeDefined();
    expect(headersInside(route?.refer.uri ?? '')).toEqual(inside);
    expect(route?.dial).toEqual({
      uri: 'sip:agent@127.0.0.1:5090;transport=tcp',
      headers: route?.refer.headers,
      nextHops: [HOP],
      credentials: null,
    });
    expect(verifyOutcomeHeaders(route?.refer.headers ?? {}, SECRET, AT)).toBe(true);
  });

  it.each<[string, Partial<OutcomeFacts>]>([
    ['a payment', {}],
    [
      'a decline',
      { outcome: { kind: 'failed', reason: 'declined', declineCode: 'insufficient_funds', chargeId: newId('Charge') } },
    ],
  ])('of %s fits into a Refer-To for small clients, with IDs of usual length', (_what, change) => {
    const { refer } = returnRoute('sip:agent-4711@voice.example.com;transport=tls', facts(change), OPTIONS) ?? {};
    expect(`Refer-To: <${refer?.uri}>`.length).toBeLessThan(400);
    const inside = headersInside(refer?.uri ?? '');
    expect(verifyOutcomeHeaders(inside, SECRET, AT)).toBe(true);
    // Only what the session says is there, and the REFER has all of it.
    const { outcome } = facts(change);
    expect(inside).toMatchObject({ 'X-Ringkey-Outcome': outcome.kind, 'X-Ringkey-Session': expect.any(String) });
    expect([inside['X-Ringkey-Reason'], inside['X-Ringkey-Decline-Code']]).toEqual([
      outcome.reason,
      outcome.declineCode,
    ]);
    expect(refer?.headers).toMatchObject({ 'X-Ringkey-Amount': '4250', 'X-Ringkey-Currency': 'USD' });
    expect(readUserToUser(refer?.headers['User-to-User'] ?? '')).toMatchObject({ 'X-Ringkey-Amount': '4250' });
  });

  it('that cannot be so short keeps everything that fits a longer line', () => {
    const long = `sip:agent@example.com?X-Trace=${'a'.repeat(300)}`;
    const { refer } = returnRoute(long, facts(), OPTIONS) ?? {};
    expect(headersInside(refer?.uri ?? '')).toMatchObject({
      'X-Trace': 'a'.repeat(300),
      'X-Ringkey-Currency': 'USD',
      'X-Ringkey-Order': 'order_1001',
      'X-Ringkey-Call': 'CA5ef8732a3c49700934481addd5ce1659',
    });
  });

  it("keeps the integrator's own X- headers, drops others, and never lets them imitate ours", () => {
    const returnTo =
      'sip:agent@example.com;method=BYE;lr?X-Room=12%2F3&Replaces=abc%3Bto-tag%3D1&X-Ringkey-Outcome=succeeded&X-Bad=a%0D%0AX-Evil:%201&X-Odd=%ff';
    const route = returnRoute(returnTo, facts({ outcome: { kind: 'failed' } }), OPTIONS);
    expect(route?.dial?.uri).toBe('sip:agent@example.com;lr');
    expect(route?.dial?.headers).toMatchObject({ 'X-Room': '12/3', 'X-Ringkey-Outcome': 'failed' });
    const names = Object.keys(route?.dial?.headers ?? {});
    expect(names).not.toContain('Replaces');
    expect(names).not.toContain('X-Bad');
    expect(names).not.toContain('X-Odd');
    expect(headersInside(route?.refer.uri ?? '')['X-Room']).toBe('12/3');
  });

  it.each(['X-esl-outbound', 'x-ESL-Outbound', 'X-Ringkey-App', 'X-FS-Support', 'X-Auth-IP', 'X-Secure-RTP'])(
    'never carries %s, which a server acts upon',
    (name) => {
      const route = returnRoute(`sip:agent@example.com?${name}=127.0.0.1:9&X-Auth-Level=2`, facts(), OPTIONS);
      const names = [...Object.keys(route?.dial?.headers ?? {}), ...Object.keys(headersInside(route?.refer.uri ?? ''))];
      expect(names.map((each) => each.toLowerCase())).not.toContain(name.toLowerCase());
      expect(names).toContain('X-Auth-Level');
    },
  );

  it('refers to a host that does not resolve here, but places no call to it', () => {
    const route = returnRoute('sip:agent@voice.internal.example', facts(), { ...OPTIONS, nextHops: [] });
    expect(route?.dial).toBeNull();
    expect(route?.refer.uri).toContain('sip:agent@voice.internal.example?');
  });

  it('refers to tel: for numbers, and calls them through the trunk if there is one', () => {
    const trunk = { ...OPTIONS, trunkTarget: 'trunk.example.com:5070;transport=tcp' };
    const route = returnRoute('tel:+1-555-010-0001', facts(), trunk);
    expect(route?.refer.uri).toBe('tel:+15550100001');
    expect(route?.dial?.uri).toBe('sip:+15550100001@trunk.example.com:5070;transport=tcp');
    expect(route?.dial?.credentials).toBeNull();
    const bare = returnRoute('+15550100001', facts(), OPTIONS);
    expect(bare?.refer.uri).toBe('tel:+15550100001');
    expect(bare?.refer.headers).toHaveProperty('X-Ringkey-Signature');
    expect(bare?.dial).toBeNull();
  });

  it("answers a host's challenge with that host's credentials, and the trunk's with the trunk's", () => {
    const [ofTrunk, ofHost] = [
      { username: 'trunk', password: 'a' },
      { username: 'pbx', password: 'b' },
    ];
    const options = {
      ...OPTIONS,
      trunkTarget: 'trunk.example.com',
      trunkCredentials: ofTrunk,
      hostCredentials: (host: string) => (host === 'pbx.example.com' ? ofHost : null),
    };
    expect(returnRoute('+15550100001', facts(), options)?.dial?.credentials).toEqual(ofTrunk);
    expect(returnRoute('sip:agent@pbx.example.com:5070', facts(), options)?.dial?.credentials).toEqual(ofHost);
    expect(returnRoute('sip:pbx.example.com@example.com', facts(), options)?.dial?.credentials).toBeNull();
  });

  it.each(['https://example.com/thanks', 'not a place', 'sip:a@b\r\nX-Evil: 1', 'sip:a@b>;tag=1', ''])(
    'finds none to %j',
    (returnTo) => {
      expect(returnRoute(returnTo, facts(), OPTIONS)).toBeNull();
    },
  );

  it('keeps every line short and verifiable for any input', () => {
    const user = fc.string({ unit: fc.constantFrom(...'abc019-.?&%41'), minLength: 1, maxLength: 900 });
    const id = fc.option(fc.string({ unit: 'grapheme', maxLength: 250 }));
    fc.assert(
      fc.property(user, id, id, (name, orderId, platformCallId) => {
        const uri = `sip:${name}@example.com`;
        const route = returnRoute(uri, facts({ orderId, platformCallId }), OPTIONS);
        expect(route).not.toBeNull();
        const referTo = `Refer-To: <${route?.refer.uri}>`;
        expect(referTo.length).toBeLessThanOrEqual(1_024);
        expect(referTo).toMatch(/^[\x21-\x7e ]+$/);
        if (route?.refer.uri === uri) return;
        expect(verifyOutcomeHeaders(headersInside(route?.refer.uri.slice(uri.length) ?? ''), SECRET, AT)).toBe(true);
      }),
    );
  });
});

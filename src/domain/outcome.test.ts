import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUserToUser, verifyOutcomeHeaders } from '../../test/support/outcome-headers.ts';
import { newId } from './ids.ts';
import { MAX_HEADER_LINE_BYTES, type OutcomeFacts, outcomeHeaders } from './outcome.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const AT = new Date('2026-11-20T12:00:00.900Z');

function facts(change: Partial<OutcomeFacts> = {}): OutcomeFacts {
  return {
    outcome: { kind: 'succeeded', chargeId: newId('Charge') },
    sessionId: newId('CheckoutSession'),
    amount: { amountCents: 4_250, currency: 'USD' },
    orderId: 'order_1001',
    platformCallId: 'CA5ef8732a3c49700934481addd5ce1659',
    ...change,
  };
}

const lengthsOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => Buffer.byteLength(`${name}: ${value}`));

describe('the outcome headers', () => {
  it('come in the order in which they are signed, without empty ones', () => {
    expect(Object.keys(outcomeHeaders(facts(), SECRET, AT))).toEqual([
      'X-Ringkey-Outcome',
      'X-Ringkey-Session',
      'X-Ringkey-Charge',
      'X-Ringkey-Amount',
      'X-Ringkey-Currency',
      'X-Ringkey-Order',
      'X-Ringkey-Call',
      'X-Ringkey-Signature',
      'User-to-User',
    ]);
  });

  it('say that an amount is only held, also by a charge of another session', () => {
    const outcome = { kind: 'succeeded', chargeId: newId('Charge') } as const;
    const captured = (change: Partial<OutcomeFacts>) => outcomeHeaders(facts(change), SECRET, AT)['X-Ringkey-Captured'];
    expect(captured({ outcome, isHold: true })).toBe('no');
    expect(captured({ outcome: { ...outcome, isHold: true } })).toBe('no');
    expect(captured({ outcome })).toBeUndefined();
    expect(captured({ outcome: { kind: 'pending' }, isHold: true })).toBeUndefined();
  });

  it('carry the tip beside the amount, and in User-to-User', () => {
    const outcome = { kind: 'succeeded', chargeId: newId('Charge'), tipCents: 765 } as const;
    const headers = outcomeHeaders(facts({ outcome }), SECRET, AT);
    expect(headers).toMatchObject({ 'X-Ringkey-Amount': '4250', 'X-Ringkey-Tip': '765' });
    expect(readUserToUser(headers['User-to-User'] ?? '')).toMatchObject({ 'X-Ringkey-Tip': '765' });
  });

  it('carry what a partial payment leaves, only if it was paid', () => {
    const outcome = { kind: 'succeeded', chargeId: newId('Charge'), remainingCents: 2_250 } as const;
    const headers = outcomeHeaders(facts({ outcome }), SECRET, AT);
    expect(headers).toMatchObject({ 'X-Ringkey-Amount': '4250', 'X-Ringkey-Remaining': '2250' });
    expect(readUserToUser(headers['User-to-User'] ?? '')).toMatchObject({ 'X-Ringkey-Remaining': '2250' });
    const unpaid = outcomeHeaders(facts({ outcome: { ...outcome, kind: 'pending' } }), SECRET, AT);
    expect(unpaid).not.toHaveProperty('X-Ringkey-Remaining');
  });

  it('describe a failure with its reason and decline code', () => {
    const headers = outcomeHeaders(
      facts({ outcome: { kind: 'failed', reason: 'declined', declineCode: 'insufficient_funds' } }),
      SECRET,
      AT,
    );
    expect(headers).toMatchObject({
      'X-Ringkey-Outcome': 'failed',
      'X-Ringkey-Decline-Code': 'insufficient_funds',
      'X-Ringkey-Reason': 'declined',
    });
    expect(headers).not.toHaveProperty('X-Ringkey-Charge');
  });

  it('are signed as an integrator would compute it: the time and the eight values, one per line', () => {
    const given = facts();
    const headers = outcomeHeaders(given, SECRET, AT);
    const t = Math.floor(AT.getTime() / 1_000);
    const text = [
      t,
      'succeeded',
      given.sessionId,
      given.outcome.chargeId,
      '4250',
      'USD',
      'order_1001',
      '',
      'CA5ef8732a3c49700934481addd5ce1659',
    ].join('\n');
    const v1 = createHmac('sha256', Buffer.alloc(32, 7)).update(text).digest('hex');
    expect(headers['X-Ringkey-Signature']).toBe(`t=${t},v1=${v1}`);
  });

  it('are repeated in User-to-User, and verify from there', () => {
    const headers = outcomeHeaders(facts(), SECRET, AT);
    const { 'User-to-User': userToUser = '', ...rest } = headers;
    expect(userToUser).toMatch(/^[0-9a-f]+;encoding=hex$/);
    expect(readUserToUser(userToUser)).toEqual(rest);
    expect(verifyOutcomeHeaders(readUserToUser(userToUser) ?? {}, SECRET, AT)).toBe(true);
  });

  it('omit an ID that is too long for a line, and still verify', () => {
    const headers = outcomeHeaders(facts({ orderId: 'é'.repeat(200) }), SECRET, AT);
    expect(headers).not.toHaveProperty('X-Ringkey-Order');
    expect(verifyOutcomeHeaders(headers, SECRET, AT)).toBe(true);
  });

  it('keep an integrator’s values escaped and within a line', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 1_200 }));
    fc.assert(
      fc.property(text, text, (orderId, platformCallId) => {
        const headers = outcomeHeaders(facts({ orderId, platformCallId }), SECRET, AT);
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]+$/);
        for (const bytes of lengthsOf(headers)) expect(bytes).toBeLessThanOrEqual(MAX_HEADER_LINE_BYTES);
        expect(verifyOutcomeHeaders(headers, SECRET, AT)).toBe(true);
        const order = headers['X-Ringkey-Order'];
        if (order !== undefined) expect(decodeURIComponent(order)).toBe(Buffer.from(orderId).toString());
      }),
    );
  });

  it('survive a lone surrogate', () => {
    expect(outcomeHeaders(facts({ orderId: 'a\ud800b' }), SECRET, AT)['X-Ringkey-Order']).toBe('a%EF%BF%BDb');
  });
});

describe('verifyOutcomeHeaders', () => {
  const headers = outcomeHeaders(facts(), SECRET, AT);

  it('accepts header names in any case', () => {
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyOutcomeHeaders(shouted, SECRET, AT)).toBe(true);
  });

  it.each([
    ['another outcome', { ...headers, 'X-Ringkey-Outcome': 'failed' }, SECRET, AT],
    ['another amount', { ...headers, 'X-Ringkey-Amount': '1' }, SECRET, AT],
    ['a header more', { ...headers, 'X-Ringkey-Decline-Code': 'lost_card' }, SECRET, AT],
    ['another secret', headers, Buffer.alloc(32, 8).toString('base64'), AT],
    ['an old signature', headers, SECRET, new Date(AT.getTime() + 301_000)],
    ['a signature from the future', headers, SECRET, new Date(AT.getTime() - 302_000)],
    ['no signature', { ...headers, 'X-Ringkey-Signature': '' }, SECRET, AT],
  ])('rejects %s', (_what, given, secret, now) => {
    expect(verifyOutcomeHeaders(given, secret, now)).toBe(false);
  });
});

describe('readUserToUser', () => {
  it.each(['', '00', 'zz;encoding=hex', '48656c6c6f;encoding=hex', '56a390f3d2b7310023a2;encoding=ascii'])(
    'finds nothing of ours in %j',
    (value) => {
      expect(readUserToUser(value)).toBeNull();
    },
  );
});

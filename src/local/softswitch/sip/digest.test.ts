import { describe, expect, it } from 'vitest';
import { answerChallenge, isStale } from './digest.ts';
import type { SipRequest, SipResponse } from './types.ts';

const request: SipRequest = { method: 'INVITE', uri: 'sip:bob@biloxi.com', headers: [], body: '' };
const challenge = (value: string, status = 401): SipResponse => ({
  status,
  reason: '',
  headers: [{ name: status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate', value }],
  body: '',
});
const credentials = { username: 'bob', password: 'zanzibar' };

describe('answerChallenge', () => {
  it('computes MD5 without qop as in RFC 2617', () => {
    const answer = answerChallenge(
      challenge('Digest realm="biloxi.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'),
      request,
      credentials,
    );
    // The worked example of draft-smith-sipping-auth-examples, section 3.2.
    expect(answer).toEqual({
      name: 'Authorization',
      value: expect.stringContaining('response="bf57e4e0d0bffc0fbaedce64d59add5e"'),
    });
  });

  it('answers a proxy with SHA-256 and qop', () => {
    const value = 'Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth,auth-int", opaque="o"';
    const answer = answerChallenge(challenge(value, 407), request, credentials);
    expect(answer?.name).toBe('Proxy-Authorization');
    expect(answer?.value).toMatch(
      /response="[0-9a-f]{64}", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="[0-9a-f]+", opaque="o"$/,
    );
  });

  it.each([
    'Basic realm="r"',
    'Digest realm="r", nonce="n", algorithm=SHA-1',
    'Digest realm="r", nonce="n", qop="auth-int"',
    'Digest',
  ])('returns undefined for %s', (value) => {
    expect(answerChallenge(challenge(value), request, credentials)).toBeUndefined();
  });

  it('recognizes a stale nonce', () => {
    expect(isStale(challenge('Digest realm="r", nonce="n", stale=TRUE'))).toBe(true);
    expect(isStale(challenge('Digest realm="r", nonce="n"'))).toBe(false);
  });
});

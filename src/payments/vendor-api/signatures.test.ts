/** How often signatures are computed. What they cover is in port/notifications.test.ts. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isOneHmac } from './signatures.ts';

const KEY = 'whsec_0123456789abcdef';
const BODY = '{}';

test.each([
  ['none of them is right', [], false],
  ['the last one is right', [createHmac('sha256', KEY).update(BODY).digest('hex')], true],
])('computes the HMAC of a body once, however many signatures a request names, if %s', (_, right, isSigned) => {
  let reads = 0;
  const signed = Object.assign([BODY], {
    [Symbol.iterator]: () => {
      reads += 1;
      return [BODY].values();
    },
  });
  const given = [...Array.from({ length: 500 }, () => 'ab'.repeat(32)), ...right];
  expect(isOneHmac('sha256', KEY, signed, given)).toBe(isSigned);
  expect(reads).toBe(1);
});

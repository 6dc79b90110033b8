/** Checks of HMAC signatures, in constant time. */
import { createHmac, timingSafeEqual } from 'node:crypto';

type Algorithm = 'sha1' | 'sha256' | 'sha512';

/** @param given in the encoding, of either case if it is hex */
export function isHmac(
  algorithm: Algorithm,
  key: string | Buffer,
  signed: readonly (string | Buffer)[],
  given: string,
  encoding: 'hex' | 'base64' = 'hex',
): boolean {
  return isOneHmac(algorithm, key, signed, [given], encoding);
}

/**
 * Whether one of them is the HMAC. It is computed once, because anyone can send many with a large body.
 * @param given as for {@link isHmac}
 */
export function isOneHmac(
  algorithm: Algorithm,
  key: string | Buffer,
  signed: readonly (string | Buffer)[],
  given: readonly string[],
  encoding: 'hex' | 'base64' = 'hex',
): boolean {
  const hmac = createHmac(algorithm, key);
  for (const part of signed) hmac.update(part);
  const expected = hmac.digest();
  return given.some((one) => {
    const bytes = Buffer.from(one, encoding);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

const TOLERANCE_SECONDS = 300;

/**
 * A header such as `t=1700000000,v1=<hex>`, with the HMAC-SHA256 of `<t>.<body>`. Several `v1` are several secrets. The
 * time may differ by five minutes.
 */
export function isTimedHmac(key: string, body: Buffer, header: string | undefined, now: Date): boolean {
  const parts = (header ?? '').split(',').map((part) => part.split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const given = parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : []));
  return isOneHmac('sha256', key, [`${time}.`, body], given);
}

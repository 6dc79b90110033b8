/**
 * Certificate chains by the URL that a PASSporT names (`x5u`), fetched once: https at public addresses only, 64 KiB,
 * two seconds. Whoever calls chooses the URL, so what is kept and what is under way is bounded, and a URL that failed
 * is left alone for a minute.
 */
import type { X509Certificate } from 'node:crypto';
import { get } from '../../lib/http-client/post.ts';
import { certificatesIn } from './certificates.ts';

/** Null: they cannot be had. Never throws. */
export type CertificateSource = (url: string) => Promise<readonly X509Certificate[] | null>;

export interface CertificateCacheOptions {
  /** For tests: http, and addresses that are not public. */
  privateTargets?: boolean;
  limitMs?: number;
  /** Milliseconds of a clock that only moves forward. */
  nowMs?: () => number;
}

const LIMIT_MS = 2_000;
const LIMIT_BYTES = 65_536;
const MAX_URL_LENGTH = 2_048;
const KEPT_MS = 60 * 60_000;
const FAILURE_KEPT_MS = 60_000;
const MAX_KEPT = 256;
const MAX_IN_FLIGHT = 10;

interface Kept {
  chain: Promise<readonly X509Certificate[] | null>;
  /** Infinite while it is under way. */
  untilMs: number;
}

export function createCertificateCache(options: CertificateCacheOptions = {}): CertificateSource {
  const { nowMs = () => performance.now() } = options;
  const cache = new Map<string, Kept>();
  let inFlight = 0;
  return async (url) => {
    const known = cache.get(url);
    if (known !== undefined && nowMs() < known.untilMs) return known.chain;
    if (!isAllowed(url, options) || inFlight >= MAX_IN_FLIGHT) return null;
    inFlight += 1;
    const chain = fetchChain(url, options).catch(() => null);
    const kept: Kept = { chain, untilMs: Number.POSITIVE_INFINITY };
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_KEPT) cache.delete(oldest);
    // To the end of the map: the first is the oldest.
    cache.delete(url);
    cache.set(url, kept);
    const found = await chain;
    inFlight -= 1;
    kept.untilMs = nowMs() + (found === null ? FAILURE_KEPT_MS : KEPT_MS);
    return found;
  };
}

function isAllowed(text: string, { privateTargets = false }: CertificateCacheOptions): boolean {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || (privateTargets && protocol === 'http:');
  return isWeb && username === '' && password === '';
}

/** @throws when there is none */
async function fetchChain(
  url: string,
  { privateTargets = false, limitMs = LIMIT_MS }: CertificateCacheOptions,
): Promise<readonly X509Certificate[] | null> {
  const signal = AbortSignal.timeout(limitMs);
  const answer = await get({ url, publicOnly: !privateTargets, answerLimitBytes: LIMIT_BYTES, signal });
  const chain = answer.status === 200 ? certificatesIn(answer.text) : [];
  return chain.length === 0 ? null : chain;
}

/**
 * Certificate chains by the URL in a PASSporT (`x5u`), fetched once: https at public addresses only, 64 KiB, two
 * seconds. Callers choose the URL, so cached and running fetches are bounded, and a URL that failed is not fetched
 * again for a minute.
 */
import type { X509Certificate } from 'node:crypto';
import { get } from '../../lib/http-client/post.ts';
import { certificatesIn } from './certificates.ts';

/** Null if they cannot be fetched. Never throws. */
export type CertificateSource = (url: string) => Promise<readonly X509Certificate[] | null>;

interface CertificateCacheOptions {
  /** For tests: allows http and non-public addresses. */
  privateTargets?: boolean;
  limitMs?: number;
  /** A monotonic clock in milliseconds. */
  nowMs?: () => number;
}

const LIMIT_MS = 2_000;
const LIMIT_BYTES = 65_536;
const MAX_URL_LENGTH = 2_048;
const CACHE_MS = 60 * 60_000;
const FAILURE_CACHE_MS = 60_000;
const MAX_CACHED = 256;
const MAX_IN_FLIGHT = 10;

interface CachedChain {
  chain: Promise<readonly X509Certificate[] | null>;
  /** Infinite while the fetch runs. */
  untilMs: number;
}

export function createCertificateCache(options: CertificateCacheOptions = {}): CertificateSource {
  const { nowMs = () => performance.now() } = options;
  const cache = new Map<string, CachedChain>();
  let inFlight = 0;
  return async (url) => {
    const known = cache.get(url);
    if (known !== undefined && nowMs() < known.untilMs) return known.chain;
    if (!isAllowed(url, options) || inFlight >= MAX_IN_FLIGHT) return null;
    inFlight += 1;
    const chain = fetchChain(url, options).catch(() => null);
    const entry: CachedChain = { chain, untilMs: Number.POSITIVE_INFINITY };
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    // To the end of the map: the first is the oldest.
    cache.delete(url);
    cache.set(url, entry);
    const found = await chain;
    inFlight -= 1;
    entry.untilMs = nowMs() + (found === null ? FAILURE_CACHE_MS : CACHE_MS);
    return found;
  };
}

function isAllowed(text: string, { privateTargets = false }: CertificateCacheOptions): boolean {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || (privateTargets && protocol === 'http:');
  return isWeb && username === '' && password === '';
}

/** @throws if there is none */
async function fetchChain(
  url: string,
  { privateTargets = false, limitMs = LIMIT_MS }: CertificateCacheOptions,
): Promise<readonly X509Certificate[] | null> {
  const signal = AbortSignal.timeout(limitMs);
  const answer = await get({ url, publicOnly: !privateTargets, answerLimitBytes: LIMIT_BYTES, signal });
  const chain = answer.status === 200 ? certificatesIn(answer.text) : [];
  return chain.length === 0 ? null : chain;
}

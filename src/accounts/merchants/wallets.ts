/** Apple Pay and Google Pay on the pay page: the processor shows their buttons on hosts that are registered with it. */
import { isIP } from 'node:net';
import type { Mode } from '../../domain/session.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { type Credentials, type LiveWallets, NO_WALLETS, type Processor } from '../../payments/ports.ts';

/** @property linkBase what pay links begin with; null, or not given, where there are none */
export interface WalletDeps {
  linkBase?: (mode: Mode) => string | null;
}

const LIMIT_MS = 5_000;

/**
 * Registers the pay page's host where it is not yet, and says which wallets are live there.
 * @returns null where the processor could not be asked
 */
export async function openWallets(
  { linkBase }: WalletDeps,
  processor: Processor,
  mode: Mode,
  credentials: Credentials,
): Promise<LiveWallets | null> {
  const domain = publicHost(linkBase?.(mode) ?? null);
  if (domain === null || processor.registerPageDomain === undefined) return NO_WALLETS;
  const request = { mode, credentials, domain };
  const register = async (signal: AbortSignal) => (await processor.registerPageDomain?.(request, signal)) ?? null;
  return withinLimit(LIMIT_MS, register).catch(() => null);
}

/** Wallets want https and a name that everybody can look up. */
function publicHost(base: string | null): string | null {
  if (base === null) return null;
  const { protocol, hostname } = new URL(base);
  const isName = hostname.includes('.') && isIP(hostname) === 0 && !hostname.endsWith('.localhost');
  return protocol === 'https:' && isName ? hostname : null;
}

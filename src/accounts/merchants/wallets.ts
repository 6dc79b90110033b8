/** Apple Pay and Google Pay on the pay page. The processor shows their buttons on registered hosts only. */
import { isIP } from 'node:net';
import type { Mode } from '../../domain/session.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { type Credentials, type LiveWallets, NO_WALLETS, type Processor } from '../../payments/ports.ts';

/** @property linkBase the base of pay links; null or omitted if there is none */
export interface WalletDeps {
  linkBase?: (mode: Mode) => string | null;
}

const LIMIT_MS = 5_000;

/**
 * Registers the pay page's host if necessary, and reports which wallets are live there.
 * @returns null if the processor could not be reached
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

/** Wallets need https and a public host name. */
function publicHost(base: string | null): string | null {
  if (base === null) return null;
  const { protocol, hostname } = new URL(base);
  const isName = hostname.includes('.') && isIP(hostname) === 0 && !hostname.endsWith('.localhost');
  return protocol === 'https:' && isName ? hostname : null;
}

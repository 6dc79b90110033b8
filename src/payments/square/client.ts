/** Opens a Square client for one call: with the merchant's credentials, the caller's time limit and no retries. */
import type { SquareClient } from 'square';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { NoAnswer, withoutRetry } from '../vendor-api/no-retry.ts';
import { squareCredentials } from './credentials.ts';

/** By mode. Tests pass the address of a fake server. */
export type SquareUrls = Readonly<Record<Mode, string>>;

/** developer.squareup.com/docs/devtools/sandbox/overview */
export const SQUARE_URLS: SquareUrls = {
  test: 'https://connect.squareupsandbox.com',
  live: 'https://connect.squareup.com',
};

/** The version of the installed package's types: the compiler rejects another. */
const API_VERSION = '2026-09-16';
/** Longer than all our time limits, but not more: the package leaves its timer running when a connection breaks. */
const TIMEOUT_SECONDS = 31;

/**
 * Opens a client for one call. `locationId`: the location that takes the merchant's payments. @throws
 * UnusableCredentials
 */
export type OpenSquare = (
  access: ProcessorAccess,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
) => Promise<{ square: SquareClient; locationId: string }>;

/**
 * Loads the package on first use: 3,600 files and 70 MB take seconds, which processes without a Square merchant save.
 */
export function squareAt(urls: SquareUrls): OpenSquare {
  return async ({ mode, credentials }, signal, onAnswer) => {
    const { access_token: token, location_id: locationId } = revealCredentials(squareCredentials(mode), credentials);
    const { SquareClient } = await import('square').catch(() => {
      throw new NoAnswer('package_missing', { neverSent: true });
    });
    const square = new SquareClient({
      token,
      baseUrl: urls[mode],
      version: API_VERSION,
      timeoutInSeconds: TIMEOUT_SECONDS,
      maxRetries: 0,
      logging: { silent: true },
      fetch: withoutRetry(signal, onAnswer),
    });
    return { square, locationId };
  };
}

/** Opens a Square client for one call: with the merchant's credentials, the caller's time limit and no retries. */
import type { SquareClient } from 'square';
import type { Mode } from '../../domain/session.ts';
import { withoutRetry } from '../no-retry.ts';
import type { ProcessorAccess } from '../ports.ts';
import { revealCredentials } from '../vendor-faults.ts';
import { squareCredentials } from './credentials.ts';

/** Of each mode; tests pass the address of a fake server. */
export type SquareUrls = Readonly<Record<Mode, string>>;

/** developer.squareup.com/docs/devtools/sandbox/overview */
export const SQUARE_URLS: SquareUrls = {
  test: 'https://connect.squareupsandbox.com',
  live: 'https://connect.squareup.com',
};

/** The version that the types of the installed package describe: the compiler refuses another. */
const API_VERSION = '2026-09-16';
/**
 * Longer than every time limit of ours, but not more: the package leaves its timer running when a connection breaks.
 */
const TIMEOUT_SECONDS = 31;

/** Opens a client for one call. `locationId`: where the merchant's payments are taken. @throws UnusableCredentials */
export type OpenSquare = (
  access: ProcessorAccess,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
) => Promise<{ square: SquareClient; locationId: string }>;

/**
 * The package is loaded when it is first used: it is 3,600 files, seconds and 70 MB, which those without a merchant at
 * Square need not spend.
 */
export function squareAt(urls: SquareUrls): OpenSquare {
  return async ({ mode, credentials }, signal, onAnswer) => {
    const { access_token: token, location_id: locationId } = revealCredentials(squareCredentials(mode), credentials);
    const { SquareClient } = await import('square');
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

/** Opens a Square client for one call: with the merchant's credentials, the caller's time limit and no retries. */
import type { SquareClient } from 'square';
import type { Mode } from '../../domain/session.ts';
import { withoutRetry } from '../no-retry.ts';
import type { Credentials } from '../ports.ts';
import { revealSquare, type SquareCredentials } from './credentials.ts';

/** Of each mode; tests pass the address of a fake server. */
export type SquareUrls = Readonly<Record<Mode, string>>;

/** developer.squareup.com/docs/devtools/sandbox/overview */
export const SQUARE_URLS: SquareUrls = {
  test: 'https://connect.squareupsandbox.com',
  live: 'https://connect.squareup.com',
};

/** The version that the types of the installed package describe: the compiler refuses another. */
const API_VERSION = '2026-09-16';
/** Longer than every time limit of ours, but not more: the package leaves its timer running when a connection breaks. */
const TIMEOUT_SECONDS = 31;

/** The credentials have not the form of this mode's. Nothing was sent. */
export class UnusableCredentials extends Error {
  constructor() {
    super('the stored Square credentials are unusable');
    this.name = 'UnusableCredentials';
  }
}

export interface OpenedSquare {
  square: SquareClient;
  locationId: SquareCredentials['location_id'];
}

/**
 * The package is loaded when it is first used: it is 3,600 files, seconds and 70 MB, which those without a merchant at
 * Square need not spend. @throws UnusableCredentials
 */
export async function openSquare(
  urls: SquareUrls,
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
): Promise<OpenedSquare> {
  const known = revealSquare(mode, credentials);
  if (known === null) throw new UnusableCredentials();
  const { SquareClient } = await import('square');
  const square = new SquareClient({
    token: known.access_token,
    baseUrl: urls[mode],
    version: API_VERSION,
    timeoutInSeconds: TIMEOUT_SECONDS,
    maxRetries: 0,
    logging: { silent: true },
    fetch: withoutRetry(signal, onAnswer),
  });
  return { square, locationId: known.location_id };
}

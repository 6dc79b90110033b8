/**
 * One GET to a vendor of number look-ups, and what every vendor's failures mean. The answer is bounded, its JSON
 * unchecked.
 */
import type { LookupFailure } from '../domain/screening.ts';

export type VendorAnswer = { status: number; json: unknown } | { failure: LookupFailure };

/** Far more than a look-up's answer has. */
const MAX_BYTES = 65_536;

/** Follows no redirect. Never throws. */
export async function askVendor(url: string, authorization: string, signal: AbortSignal): Promise<VendorAnswer> {
  try {
    const headers = { authorization, accept: 'application/json' };
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const { status } = response;
    const failure = failureOf(status);
    if (failure !== null) {
      await response.body?.cancel();
      return { failure };
    }
    const json = parsed(await boundedText(response));
    return json === null ? { failure: 'number_lookup_unreadable' } : { status, json };
  } catch {
    return { failure: signal.aborted ? 'number_lookup_timed_out' : 'number_lookup_unavailable' };
  }
}

/** 404 and 422 are answers: the vendor has nothing of that number, if what it says can be read. */
function failureOf(status: number): LookupFailure | null {
  if (status === 200 || status === 404 || status === 422) return null;
  if (status === 429) return 'number_lookup_rate_limited';
  return status >= 400 && status < 500 ? 'number_lookup_refused' : 'number_lookup_unavailable';
}

/** @returns an empty text for a longer one */
async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @returns null for what is no JSON object */
function parsed(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    return typeof json === 'object' ? json : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const MAX_CARRIER_LENGTH = 100;

/** A carrier's name as it is kept: a vendor's words, on one line. */
export function carrierName(text: string | null | undefined): string | null {
  const name = (text ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return name === '' ? null : name.slice(0, MAX_CARRIER_LENGTH);
}

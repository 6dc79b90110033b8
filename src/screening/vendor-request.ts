/**
 * One GET to a vendor of number lookups, and the meaning of its failures. The response is limited in size, its JSON
 * unchecked.
 */
import type { LookupFailure, NumberFacts } from '../domain/screening.ts';

type VendorAnswer = { status: number; json: unknown } | { failure: LookupFailure };

/** Far more than a lookup's response has. */
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

/** 404 and 422 are answers: the vendor has no data about the number, if its response is readable. */
function failureOf(status: number): LookupFailure | null {
  if (status === 200 || status === 404 || status === 422) return null;
  if (status === 429) return 'number_lookup_rate_limited';
  return status >= 400 && status < 500 ? 'number_lookup_refused' : 'number_lookup_unavailable';
}

/** @returns an empty text if it is longer */
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

/** @returns null if it is no JSON object */
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

/** A carrier's name to store: the vendor's words on one line. */
export function carrierName(text: string | null | undefined): string | null {
  const name = (text ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return name === '' ? null : name.slice(0, MAX_CARRIER_LENGTH);
}

/** The vendor has no data about the number. */
export const NOT_COVERED: NumberFacts = {
  portCheck: 'unknown',
  lineType: 'unknown',
  carrier: null,
  notes: ['number_not_covered'],
};

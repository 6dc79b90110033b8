/** The URI inside a Refer-To, with the outcome as URI headers. The INVITE that follows the REFER carries them. */
import { MAX_HEADER_LINE_BYTES, type OutcomeFacts, outcomeHeaders, type SignedName } from './outcome.ts';

/** Small clients cut longer lines, or drop the REFER. */
const SHORT_LINE_BYTES = 399;
/**
 * Omitted from a longer line one by one. The named session and the REFER itself have all of them. The reason of a
 * failure is never omitted.
 */
const DISPENSABLE: readonly SignedName[] = [
  'X-Ringkey-Currency',
  'X-Ringkey-Amount',
  'X-Ringkey-Order',
  'X-Ringkey-Call',
];

export interface ReferToOptions {
  /** The integrator's own headers, from `return_to`. */
  ownHeaders: Record<string, string>;
  secret: string | null;
  at: Date;
}

/**
 * Adds as much of the outcome to `uri` as keeps the line short. If it is too long in any case, everything that can be
 * omitted is. `User-to-User` would repeat it, so only the REFER has it. The signature covers the headers in the line.
 */
export function referToUri(uri: string, facts: OutcomeFacts, { ownHeaders, secret, at }: ReferToOptions): string {
  const ours = Array.from({ length: DISPENSABLE.length + 1 }, (_, count) => {
    const { 'User-to-User': _repeated, ...headers } = outcomeHeaders(facts, secret, at, DISPENSABLE.slice(0, count));
    return headers;
  });
  const withOwn = ours.map((headers) => withHeaders(uri, { ...ownHeaders, ...headers }));
  const withoutOwn = ours.map((headers) => withHeaders(uri, headers));
  const upTo = (limit: number) => (text: string) => 'Refer-To: <>'.length + text.length <= limit;
  const short = withOwn.find(upTo(SHORT_LINE_BYTES));
  return short ?? [...withOwn, ...withoutOwn].find(upTo(MAX_HEADER_LINE_BYTES)) ?? uri;
}

/** RFC 3261, 19.1.1: every character outside the unreserved ones is escaped. */
function withHeaders(uri: string, headers: Record<string, string>): string {
  const pairs = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${uri}?${pairs.join('&')}`;
}

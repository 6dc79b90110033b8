/** The URI inside a Refer-To, with the outcome as URI headers: the INVITE that follows the REFER carries them. Pure. */
import { MAX_HEADER_LINE_BYTES, type OutcomeFacts, outcomeHeaders, type SignedName } from './outcome.ts';

/** Small clients cut longer lines, or drop the REFER. */
const SHORT_LINE_BYTES = 399;
/**
 * Left out of a longer line one after the other. All of them stand in the session, which is named, and on the REFER
 * itself. The reason of a failure never is.
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
 * `uri` with as much of the outcome as keeps the line short; where nothing does, as much as may be. `User-to-User`
 * would repeat it, so it is on the REFER alone. The signature covers what is carried.
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

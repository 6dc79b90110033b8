/** Checks, when a call returns, that its account may send callers to `return_to` and that we may send a call there. */
import type { Account } from '../domain/account.ts';
import { operatorHosts, returnRefusal } from '../domain/return-permission.ts';
import { parseReturnTo } from '../domain/return-target.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { isPublicHost } from '../lib/http-client/public-addresses.ts';
import type { PhoneDeps } from './deps.ts';
import { nextHopOf } from './next-hop.ts';

export type ReturnCheck =
  /** `nextHops`: empty for a number, and for a host that does not resolve here: the caller's side may know it. */
  { refused: null; nextHops: string[] } | { refused: string };

export async function checkReturn(
  { settings, resolver }: Pick<PhoneDeps, 'settings' | 'resolver'>,
  { returnTo, mode }: Pick<CheckoutSession, 'returnTo' | 'mode'>,
  { returns }: Pick<Account, 'returns'>,
): Promise<ReturnCheck> {
  const target = parseReturnTo(returnTo ?? '');
  if (target === null) return { refused: null, nextHops: [] };
  const isOperatorHost = operatorHosts(settings.returnAllowed);
  const refused = returnRefusal(target, returns, { mode, isOperatorHost, isPublicHost });
  if (refused !== null) return { refused };
  if (target.kind !== 'sip') return { refused: null, nextHops: [] };
  const isAllowedAddress = isOperatorHost(target.host) ? () => true : isOperatorHost;
  const hop = await nextHopOf(target.uri, isAllowedAddress, resolver);
  if ('uris' in hop) return { refused: null, nextHops: hop.uris };
  return hop.refused === 'forbidden' ? { refused: 'address_not_allowed' } : { refused: null, nextHops: [] };
}

/** Refuses a `return_to` that the phone would not send the caller to, while the integrator can still see it. */
import { ApiError } from '../contract/errors.ts';
import { type ReturnPermission, type ReturnRefusal, returnRefusal } from '../domain/return-permission.ts';
import { parseReturnTo } from '../domain/return-target.ts';
import type { Mode } from '../domain/session.ts';
import { isPublicHost } from '../outgoing-http/public-addresses.ts';

const MESSAGES: Record<ReturnRefusal | 'host_not_public', string> = {
  host_not_allowed:
    'return_to leads to a host that this account does not send callers to: add it to return_hosts (PATCH /v1/account).',
  host_not_public:
    'return_to leads to a private or local host: use a public one, or have whoever runs the service list it in RINGKEY_RETURN_ALLOWED.',
  number_not_allowed:
    'return_to is a number that this account does not call: add its beginning to return_number_prefixes (PATCH /v1/account).',
  number_refused:
    'return_to is no number that is called: write it in E.164, +15550101234. Emergency, short, premium and satellite numbers are never called.',
};

/**
 * Judges what `return_to` says. Where its host leads is checked when the call returns: DNS may answer otherwise by then.
 * @throws ApiError `invalid_value`
 */
export function requireAllowedReturn(
  returnTo: string | null,
  returns: ReturnPermission,
  context: { mode: Mode; isOperatorHost: (host: string) => boolean },
): void {
  const target = returnTo === null ? null : parseReturnTo(returnTo);
  if (target === null) return;
  const refusal = returnRefusal(target, returns, { ...context, isPublicHost });
  if (refusal === null) return;
  const isPrivate = target.kind === 'sip' && !isPublicHost(target.host);
  throw new ApiError('invalid_value', {
    param: 'return_to',
    message: MESSAGES[isPrivate ? 'host_not_public' : refusal],
  });
}

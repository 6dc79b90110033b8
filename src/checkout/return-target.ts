/** Rejects a `return_to` to which the phone would not send the caller, while the integrator can still see the error. */
import { ApiError } from '../contract/errors.ts';
import { type ReturnPermission, type ReturnRefusal, returnRefusal } from '../domain/return-permission.ts';
import { parseReturnTo } from '../domain/return-target.ts';
import type { Mode } from '../domain/session.ts';
import { isPublicHost } from '../lib/http-client/public-addresses.ts';

const MESSAGES: Record<ReturnRefusal | 'host_not_public', string> = {
  not_encrypted: '`return_to` must be an https: URL in live mode.',
  host_not_allowed:
    'The host of `return_to` is not allowed for this account. Add it to `return_hosts` (PATCH /v1/account).',
  host_not_public:
    'The host of `return_to` is private or local. Use a public host, or have the operator add it to RINGKEY_RETURN_ALLOWED.',
  number_not_allowed:
    'The number in `return_to` is not allowed for this account. Add its prefix to `return_number_prefixes` (PATCH /v1/account).',
  number_refused:
    'The number in `return_to` cannot be called. Write it in E.164, such as +15550101234. Emergency, short, premium and satellite numbers are never called.',
};

/**
 * Checks the text of `return_to`. Where its host leads is checked when the call returns, because DNS can change by
 * then.
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

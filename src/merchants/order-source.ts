/** Where a merchant's orders come from, as it is asked for, kept and shown. */
import { ApiError } from '../contract/errors.ts';
import type { Merchant, Mode } from '../domain/session.ts';
import { hostOf, isLoopbackHost, isPublicHost, isPublicOnly } from '../outgoing-http/public-addresses.ts';
import { newSigningSecret } from '../outgoing-http/signature.ts';
import type { OrderSourceSetting } from '../db/merchants/merchant-records.ts';
import { type MerchantDeps, requireVault } from './deps.ts';

export type OrderSourceRequest = { type: 'none' } | { type: 'sandbox' } | { type: 'http'; url: string };

/** Without a setting: test merchants have the sandbox's orders, live ones none. */
export function effectiveKind(setting: OrderSourceSetting | null, mode: Mode): OrderSourceSetting['kind'] {
  return setting?.kind ?? (mode === 'test' ? 'sandbox' : 'none');
}

/** What a secret is sealed for. */
export function orderSourceContext(merchantId: string): string {
  return `order source:${merchantId}`;
}

/** The parser mends more than this, each in its own way. */
const WRITTEN_OUT = /^https?:\/\/[^\s\\]+$/i;

/**
 * Whether an integrator's URL is one that we send to: https at a host that may be public. Where private targets are
 * allowed, test mode takes any host, and http on the machine itself, for whoever tries it there.
 */
export function isDeliverable(text: string, mode: Mode, privateTargets: boolean): boolean {
  const url = WRITTEN_OUT.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return false;
  const host = hostOf(url);
  const publicOnly = isPublicOnly(mode, privateTargets);
  if (url.protocol === 'http:') return !publicOnly && isLoopbackHost(host);
  return url.protocol === 'https:' && (!publicOnly || isPublicHost(host));
}

/**
 * The setting to keep, and its secret where that is new (shown once). The same URL keeps its secret.
 * @throws ApiError `invalid_url`, `invalid_value`, `not_configured`
 */
export function newOrderSource(
  deps: Pick<MerchantDeps, 'vault' | 'privateTargets'>,
  merchant: Pick<Merchant, 'id' | 'mode'>,
  current: OrderSourceSetting | null,
  request: OrderSourceRequest,
): { setting: OrderSourceSetting; secret: string | null } {
  switch (request.type) {
    case 'none':
      return { setting: { kind: 'none' }, secret: null };
    case 'sandbox':
      if (merchant.mode === 'test') return { setting: { kind: 'sandbox' }, secret: null };
      throw new ApiError('invalid_value', {
        param: 'order_source.type',
        message: 'The sandbox is for test merchants.',
      });
    case 'http': {
      if (!isDeliverable(request.url, merchant.mode, deps.privateTargets)) {
        throw new ApiError('invalid_url', { param: 'order_source.url' });
      }
      if (current?.kind === 'http' && current.url === request.url) return { setting: current, secret: null };
      const secret = newSigningSecret();
      const signingSecret = requireVault(deps.vault).seal(secret, orderSourceContext(merchant.id));
      return { setting: { kind: 'http', url: request.url, signingSecret }, secret };
    }
  }
}

/** A merchant's order source: checks a requested one, and builds the setting to store. */
import { ApiError } from '../../contract/errors.ts';
import type { Merchant, OrderSourceSetting } from '../../domain/merchant.ts';
import type { Mode } from '../../domain/session.ts';
import { hostOf, isLoopbackHost, isPublicHost, isPublicOnly } from '../../lib/http-client/public-addresses.ts';
import { newSigningSecret } from '../../lib/http-client/signature.ts';
import { requireVault } from '../../lib/vault/vault.ts';
import type { MerchantDeps } from './deps.ts';

export type OrderSourceRequest = { type: 'none' } | { type: 'sandbox' } | { type: 'http'; url: string };

/** Encryption context of an order source's signing secret. */
export function orderSourceContext(merchantId: string): string {
  return `order source:${merchantId}`;
}

/** URL parsers accept more than this, and each repairs it differently. */
const WELL_FORMED = /^https?:\/\/[^\s\\]+$/i;

/**
 * Whether requests can be sent to an integrator's URL: https at a public host. If private targets are allowed, test
 * mode accepts any host, and http on this machine.
 */
export function isDeliverable(text: string, mode: Mode, privateTargets: boolean): boolean {
  const url = WELL_FORMED.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return false;
  const host = hostOf(url);
  const publicOnly = isPublicOnly(mode, privateTargets);
  if (url.protocol === 'http:') return !publicOnly && isLoopbackHost(host);
  return url.protocol === 'https:' && (!publicOnly || isPublicHost(host));
}

/**
 * The setting to store, and its signing secret if that is new. The same URL keeps its secret.
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
        message: 'Only test merchants can use the sandbox.',
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

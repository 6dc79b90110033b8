/** Where a merchant's orders are looked up. */
import type { Mode } from './session.ts';

/** As stored: `signingSecret` is encrypted. */
export type OrderSourceSetting =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | { kind: 'http'; url: string; signingSecret: string };

/** Without a setting, test merchants have the sandbox's orders and live ones none. */
export function orderSourceKind(setting: OrderSourceSetting | null, mode: Mode): OrderSourceSetting['kind'] {
  return setting?.kind ?? (mode === 'test' ? 'sandbox' : 'none');
}

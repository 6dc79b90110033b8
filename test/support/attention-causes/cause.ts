/** A cause of an attention item of the demo account. */
import type { LimitName } from '../../../src/domain/account-limits.ts';
import type { AttentionKind } from '../../../src/domain/attention.ts';
import type { Mode } from '../../../src/domain/session.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import type { TestApi } from '../../contract/test-api.ts';

export const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;

/** A cause that was just brought about. */
export interface Cause {
  /** What the item is about. */
  subject: string;
  /** Null: the account or the service as a whole. */
  merchant: string | null;
  /** On the page that the item links to. */
  shows: string;
  /** A newer cause of the same item, if the kind has such. */
  renew?: () => Promise<unknown>;
  end: () => Promise<unknown>;
}

export interface CauseOfKind {
  kind: AttentionKind;
  /** Of a limit. */
  limit?: LimitName;
  /** Default: test. */
  mode?: Mode;
  start(api: TestApi): Promise<Cause>;
}

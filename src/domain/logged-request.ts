/** A REST request in the request log. Secrets and digits that look like cards are removed. */
import type { AccountId } from './ids.ts';
import type { Mode } from './session.ts';

export interface LoggedRequest {
  id: string;
  accountId: AccountId;
  mode: Mode;
  method: string;
  /** As in the reference: `/v1/charges/{charge_id}`. Null for a path without an operation. */
  route: string | null;
  /** Including the query. */
  path: string;
  status: number;
  code: string | null;
  param: string | null;
  durationMs: number;
  /** Null in the keyless demo. */
  keyId: string | null;
  source: string | null;
  /** Null if there was none or it is not stored. */
  requestBody: string | null;
  answerBody: string | null;
  createdAt: Date;
}

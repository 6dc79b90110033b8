/** A REST request as the request log keeps it: secrets and card-like digits are cut. */
import type { AccountId } from './ids.ts';
import type { Mode } from './session.ts';

export interface LoggedRequest {
  id: string;
  accountId: AccountId;
  mode: Mode;
  method: string;
  /** As the reference writes it: `/v1/charges/{charge_id}`; null for a path without an operation. */
  route: string | null;
  /** With its query. */
  path: string;
  status: number;
  code: string | null;
  param: string | null;
  durationMs: number;
  /** Null in the keyless demo. */
  keyId: string | null;
  source: string | null;
  /** Null where there was none, or it is not kept. */
  requestBody: string | null;
  answerBody: string | null;
  createdAt: Date;
}

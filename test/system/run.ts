/** One run of the system test: its service, and what its clients did and learned. */
import type { Database } from '../../src/db/pool.ts';
import type { AnsweredCharge } from '../chaos/charge-load.ts';
import type { AnsweredRefund } from '../chaos/refund-audit.ts';
import type { CallStory } from './calls.ts';
import { type AnswerBody, request } from './requests.ts';

export interface SystemRun {
  baseUrl: string;
  speechFolder: string;
  database: Database;
  /** API keys, used in turn so that no rate limit is reached. */
  keys: readonly string[];
  charges: AnsweredCharge[];
  refunds: AnsweredRefund[];
  calls: CallStory[];
  /** Sessions whose payer has seen a receipt on the page. */
  receipts: Set<string>;
  /** Answers that no client should get. */
  unexpected: string[];
}

/** Sends a request that must be carried out, or be answered with one of these errors. @returns null in that case */
export async function ask(
  run: SystemRun,
  path: string,
  body?: object,
  { key, errors = [] }: { key?: string; errors?: readonly string[] } = {},
): Promise<AnswerBody | null> {
  const answer = await request(run.baseUrl + path, body, key);
  if (answer.status === 200) return answer.body;
  if (!errors.includes(answer.body.error?.code ?? '')) {
    run.unexpected.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return null;
}

let callers = 0;

/** A number that no other caller of this process has. None of them means anything to the sandbox. */
export function newCallerNumber(): string {
  callers += 1;
  return `+1555014${String(callers).padStart(4, '0')}`;
}

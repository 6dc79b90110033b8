/**
 * Looks a number up and stores the result: an answer for a day, a failure beside it. Concurrent checkouts of a caller
 * share a request. A failing vendor is not asked for a while.
 */

import type { Sql } from '../db/pool.ts';
import {
  batchedLookups,
  type LookedUp,
  type SaveLookup,
  saveLookupFailure,
  takeFromLookupBudget,
} from '../db/screening/number-lookups.ts';
import type { Scope } from '../domain/account.ts';
import { type E164, maskedNumber } from '../domain/phone-number.ts';
import { LOOKUP_BUDGET, type StoredLookup } from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';
import { type Circuit, createCircuit } from '../lib/concurrency/circuit.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import type { LookupAnswer, NumberLookup } from './ports.ts';
import type { ScreeningDeps, ScreeningLog } from './screening.ts';

const REUSED_MS = 24 * 60 * 60_000;
const MAX_FAILURES = 5;
const REST_MS = 30_000;

interface ScopedNumber extends Scope {
  phone: E164;
}

/** @returns what is known of the number: `stored` if no lookup is possible or necessary */
type NumberCheck = (
  number: ScopedNumber,
  stored: StoredLookup | null,
  log: ScreeningLog,
) => Promise<StoredLookup | null>;

export function createNumberCheck(deps: ScreeningDeps): NumberCheck {
  const live = createCircuit({ maxFailures: MAX_FAILURES, restMs: REST_MS });
  // The sandbox fails on purpose.
  const circuits: Record<Mode, LookupCircuit> = {
    live,
    test: { isOpen: false, tryNow: () => true, record: () => undefined },
  };
  const saveLookup = batchedLookups(deps.sql);
  const underWay = new Map<string, Promise<StoredLookup>>();
  return async (number, stored, log) => {
    const { accountId, mode, phone } = number;
    const lookup = deps.lookups[mode];
    if (lookup === null || isFresh(stored, lookup)) return stored;
    const name = `${accountId} ${mode} ${phone}`;
    const shared = underWay.get(name);
    if (shared !== undefined) return shared;
    const run = (async () => {
      const answer = await askVendor(deps, lookup, circuits[mode], number, log);
      const known = knownBy(answer, lookup, stored);
      await keep(deps.sql, saveLookup, { ...number, adapter: lookup.name }, answer).catch((error: unknown) =>
        log.error({ err: error, adapter: lookup.name }, 'number lookup could not be stored'),
      );
      return known;
    })().finally(() => underWay.delete(name));
    underWay.set(name, run);
    return run;
  };
}

function isFresh(stored: StoredLookup | null, { name }: NumberLookup): boolean {
  return stored?.isAnswered === true && stored.adapter === name && Date.now() - stored.checkedAtMs < REUSED_MS;
}

type LookupCircuit = Pick<Circuit, 'isOpen' | 'tryNow' | 'record'>;

async function askVendor(
  { sql, limitMs, budget = LOOKUP_BUDGET, onCheck }: ScreeningDeps,
  lookup: NumberLookup,
  circuit: LookupCircuit,
  { accountId, mode, phone }: ScopedNumber,
  log: ScreeningLog,
): Promise<LookupAnswer> {
  const adapter = lookup.name;
  const resting = (): LookupAnswer => {
    onCheck?.({ adapter, result: 'circuit_open', seconds: 0 });
    return { status: 'failed', failure: 'number_lookup_unavailable' };
  };
  if (circuit.isOpen) return resting();
  // Callers are screened even if the database is down.
  const hasTurn = () =>
    takeFromLookupBudget(sql, { accountId, mode }, budget).catch((error: unknown) => {
      log.error({ err: error, adapter }, 'budget of number lookups could not be read');
      return true;
    });
  // Lookups of test mode use the sandbox and cost nothing.
  if (mode === 'live' && !(await hasTurn())) {
    log.warn({ adapter, accountId }, 'number not looked up: the account has used its budget');
    onCheck?.({ adapter, result: 'over_budget', seconds: 0 });
    return { status: 'failed', failure: 'number_lookup_over_budget' };
  }
  // Checked after the budget, so that an account without budget does not use up the only probe.
  if (!circuit.tryNow()) return resting();
  const startedAt = performance.now();
  const answer = await withinLimit(limitMs, (signal) => lookup.lookUp(phone, signal)).catch(
    (error: unknown): LookupAnswer => {
      log.error({ err: error, adapter }, 'number lookup returned an invalid result');
      return { status: 'failed', failure: 'number_lookup_timed_out' };
    },
  );
  const result = answer.status === 'answered' ? 'answered' : answer.failure;
  onCheck?.({ adapter, result, seconds: (performance.now() - startedAt) / 1_000 });
  circuit.record(answer.status === 'answered' ? 'success' : 'failure');
  if (answer.status === 'failed') log.warn({ adapter, result, caller: maskedNumber(phone) }, 'number lookup failed');
  return answer;
}

function knownBy(answer: LookupAnswer, { name: adapter }: NumberLookup, stored: StoredLookup | null): StoredLookup {
  const checkedAtMs = Date.now();
  if (answer.status === 'answered') return { ...answer.facts, adapter, failure: null, isAnswered: true, checkedAtMs };
  const { failure } = answer;
  if (stored?.isAnswered === true) return { ...stored, failure };
  const unknown = { portCheck: 'unknown', lineType: 'unknown', carrier: null, notes: [] } as const;
  return { ...unknown, adapter, failure, isAnswered: false, checkedAtMs };
}

async function keep(sql: Sql, saveLookup: SaveLookup, number: LookedUp, answer: LookupAnswer): Promise<void> {
  if (answer.status === 'answered') await saveLookup({ ...number, facts: answer.facts });
  else await saveLookupFailure(sql, number, answer.failure);
}

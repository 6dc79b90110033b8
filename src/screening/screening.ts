/**
 * Screens callers beside their checkouts: looks the number up, unless what is kept of it is younger than a day, and
 * asks what the carriers attest of the call. Each result is kept as it comes; the rules that read it are
 * domain/screening.ts.
 */
import type { BaseLogger } from 'pino';
import type { Sql } from '../db/pool.ts';
import { saveAttestation } from '../db/screening/attestations.ts';
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import type { E164 } from '../domain/phone-number.ts';
import type { AttestationAnswer, KeptAttestation, KeptLookup, LookupBudget, ScreenFacts } from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';
import { InFlight } from '../lib/concurrency/in-flight.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import { createNumberCheck } from './number-check.ts';
import type { AttestationSource, NumberLookup } from './ports.ts';

export interface ScreeningDeps {
  sql: Sql;
  /** Who is asked of the numbers of a mode; null: nobody. */
  lookups: Readonly<Record<Mode, NumberLookup | null>>;
  /** Who is asked of the calls of a mode. */
  attestations: Readonly<Record<Mode, readonly AttestationSource[]>>;
  /** How long an adapter may take. */
  limitMs: number;
  /** Of the look-ups of live mode, of one account; the default where not given. */
  budget?: LookupBudget;
  /** For the counts: an adapter was asked, or spared. */
  onCheck?: (observed: ScreeningCheck) => void;
}

/** @param result `answered`, or the note that stands for what went wrong */
export interface ScreeningCheck {
  adapter: string;
  result: string;
  seconds: number;
}

/** A session that was inserted. */
interface ScreenedSession {
  id: CheckoutSessionId;
  accountId: AccountId;
  mode: Mode;
  callerPhone: E164;
  platformCallId: string | null;
  /** The account's, for its mode. */
  attestationUrl: string | null;
}

export type ScreeningLog = Pick<BaseLogger, 'warn' | 'error'>;

/** A screening under way. */
interface ScreeningRun {
  /** What is known by now. */
  readonly facts: ScreenFacts;
  /** All that was asked is answered, late or broken, and kept. Never rejects. */
  readonly settled: Promise<void>;
}

export interface Screening {
  /** @param kept what the database has of the number. Never throws. */
  screenCaller(session: ScreenedSession, kept: KeptLookup | null, log: ScreeningLog): ScreeningRun;
  /** Resolves when nothing is under way, or after `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Of one process. Beyond, callers go unscreened: nobody waits. */
const MAX_IN_FLIGHT = 200;

export function openScreening(deps: ScreeningDeps): Screening {
  const inFlight = new InFlight();
  const checkNumber = createNumberCheck(deps);
  return {
    screenCaller(session, kept, log) {
      const attestations: KeptAttestation[] = [];
      const facts = { lookup: kept, attestations };
      if (inFlight.size >= MAX_IN_FLIGHT) {
        log.warn({ sessionId: session.id }, 'screening skipped: too much is running');
        return { facts, settled: Promise.resolve() };
      }
      const { accountId, mode, callerPhone: phone } = session;
      const number = async () => {
        facts.lookup = await checkNumber({ accountId, mode, phone }, kept, log);
      };
      const calls = deps.attestations[mode].map((source) => async () => {
        const attestation = await attest(deps, source, session, log);
        if (attestation !== null) attestations.push(attestation);
      });
      const all = [number, ...calls].map((check) =>
        check().catch((error: unknown) => log.error({ err: error, sessionId: session.id }, 'screening failed')),
      );
      return { facts, settled: inFlight.track(Promise.all(all).then(() => undefined)) };
    },
    async drain(limitMs) {
      await inFlight.idle(limitMs);
    },
  };
}

const LATE: AttestationAnswer = { attestation: null, note: 'attestation_timed_out' };

/** Asks one source of the session's call, and keeps what it says. */
async function attest(
  { sql, limitMs, onCheck }: ScreeningDeps,
  source: AttestationSource,
  session: ScreenedSession,
  log: ScreeningLog,
): Promise<KeptAttestation | null> {
  const { id: sessionId, accountId, mode, callerPhone: number, platformCallId, attestationUrl: url } = session;
  if (platformCallId === null) return null;
  const question = { sessionId, accountId, mode, number, platformCallId, url };
  const startedAt = performance.now();
  const answer = await withinLimit(limitMs, (signal) => source.ask(question, signal)).catch((error: unknown) => {
    log.error({ err: error, adapter: source.name }, 'attestation source returned an invalid result');
    return LATE;
  });
  if (answer === null) return null;
  const note = answer.attestation === null ? answer.note : null;
  const seconds = (performance.now() - startedAt) / 1_000;
  onCheck?.({ adapter: source.name, result: note ?? 'answered', seconds });
  await saveAttestation(sql, sessionId, source.name, answer);
  return { source: source.name, attestation: answer.attestation, note, attestedAtMs: Date.now() };
}

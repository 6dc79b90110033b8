/**
 * Screens callers while their checkouts continue: looks the number up, unless a stored answer is less than a day old,
 * and requests the attestation of the call. Each result is stored when it arrives; domain/screening.ts has the rules.
 */
import type { BaseLogger } from 'pino';
import type { Sql } from '../db/pool.ts';
import { saveAttestation } from '../db/screening/screen-facts.ts';
import type { AccountId, CheckoutSessionId } from '../domain/ids.ts';
import type { E164 } from '../domain/phone-number.ts';
import type {
  AttestationAnswer,
  LookupBudget,
  ScreenFacts,
  StoredAttestation,
  StoredLookup,
} from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';
import { InFlight } from '../lib/concurrency/in-flight.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import { createNumberCheck } from './number-check.ts';
import type { AttestationSource, NumberLookup } from './ports.ts';

export interface ScreeningDeps {
  sql: Sql;
  /** The number lookup of each mode; null for none. */
  lookups: Readonly<Record<Mode, NumberLookup | null>>;
  /** The attestation sources of each mode. */
  attestations: Readonly<Record<Mode, readonly AttestationSource[]>>;
  /** The time limit of an adapter. */
  limitMs: number;
  /** An account's lookup budget in live mode. */
  budget?: LookupBudget;
  /** For metrics: an adapter was asked or skipped. */
  onCheck?: (observed: ScreeningCheck) => void;
}

/** @param result `answered`, or the note for the failure */
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
  /** The account's attestation URL, for its mode. */
  attestationUrl: string | null;
}

export type ScreeningLog = Pick<BaseLogger, 'warn' | 'error'>;

/** A running screening. */
interface ScreeningRun {
  /** The facts known so far. */
  readonly facts: ScreenFacts;
  /** Resolves when all requests have ended and are stored. Never rejects. */
  readonly settled: Promise<void>;
}

export interface Screening {
  /** @param stored the stored lookup of the number. Never throws */
  screenCaller(session: ScreenedSession, stored: StoredLookup | null, log: ScreeningLog): ScreeningRun;
  /** Resolves when no screening is running, or after `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Limit per process. Beyond it, callers are not screened, because none may wait. */
const MAX_IN_FLIGHT = 200;

export function openScreening(deps: ScreeningDeps): Screening {
  const inFlight = new InFlight();
  const checkNumber = createNumberCheck(deps);
  return {
    screenCaller(session, stored, log) {
      const attestations: StoredAttestation[] = [];
      const facts = { lookup: stored, attestations };
      if (inFlight.size >= MAX_IN_FLIGHT) {
        log.warn({ sessionId: session.id }, 'screening skipped: too much is running');
        return { facts, settled: Promise.resolve() };
      }
      const { accountId, mode, callerPhone: phone } = session;
      const number = async () => {
        facts.lookup = await checkNumber({ accountId, mode, phone }, stored, log);
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

/** Asks one source about the session's call, and stores the result. */
async function attest(
  { sql, limitMs, onCheck }: ScreeningDeps,
  source: AttestationSource,
  session: ScreenedSession,
  log: ScreeningLog,
): Promise<StoredAttestation | null> {
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

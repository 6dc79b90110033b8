/** Call admission with engines that answer as a test says. */
import type { Sql } from '../../../src/db/pool.ts';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { CallAdmission } from '../../../src/phone/call-admission.ts';
import type { PhoneDeps, PhoneSettings } from '../../../src/phone/deps.ts';
import type { OverloadCause } from '../../../src/phone/load/overload.ts';
import {
  type CallLeg,
  DialFailure,
  type IncomingCall,
  type KeySink,
  type LegEnd,
  type MediaLeg,
  type MediaPool,
  type SipEdge,
} from '../../../src/phone/ports.ts';
import { PHONE_SETTINGS } from './phone-settings.ts';

interface AdmissionHarnessOptions {
  /** Limit of a database step. Long by default, so that a busy machine does not reach it. */
  lookUpMs?: number;
  /** By default more than a test leaves live. */
  maxCallsPerAccount?: number;
  /** Settings of calls to a number. */
  numbers?: Partial<PhoneSettings>;
}

export class AdmissionHarness {
  handler: (call: IncomingCall) => void = () => undefined;
  sql: Sql;
  mediaAnswer: () => Promise<void> = () => Promise.resolve();
  overload: OverloadCause | null = null;
  readonly refusals: unknown[] = [];
  retryAfter: string | null = null;
  destroyed = 0;
  /** Arrives as soon as the media leg exists. */
  readonly earlyKey = Secret.of('4');
  readonly admission: CallAdmission;

  constructor(sql: Sql, { lookUpMs = 30_000, maxCallsPerAccount = 1_000, numbers = {} }: AdmissionHarnessOptions = {}) {
    this.sql = sql;
    const edge: SipEdge = {
      onCall: (handler) => {
        this.handler = handler;
      },
      takeCalls: () => undefined,
      dial: () => Promise.reject(new DialFailure(404)),
      lostDialog: () => new Leg(),
      endDialogs: () => undefined,
      connected: true,
      missing: 0,
      close: () => Promise.resolve(),
    };
    const pool: MediaPool = {
      answerOffer: (_sdp, onKey) => this.#leg(onKey),
      makeOffer: (onKey) => this.#leg(onKey),
      makeOfferBeside: () => this.#leg(null),
      replace: (_lost, onKey) => this.#leg(onKey),
      takeUnendedKeys: (_instead, _sdp, onKey) => this.#leg(onKey),
      connected: true,
      onChange: () => undefined,
      close: () => Promise.resolve(),
    };
    const quiet = () => undefined;
    const deps: PhoneDeps = {
      edge,
      pool,
      vault: null,
      lease: { id: 999, instance: 'test', held: true, alone: true, onChange: () => undefined },
      sql: { query: ((...args: Parameters<Sql['query']>) => this.sql.query(...args)) as Sql['query'] },
      readSessionState: () => Promise.resolve(null),
      speech: {
        files: () => Promise.resolve(['/a.wav']),
        exactFiles: () => Promise.resolve(['/a.wav']),
        words: () => '',
        spokenLanguage: () => 'en-US',
      },
      progress: { publish: quiet, publishCall: quiet, subscribe: () => quiet },
      takesKeypad: () => true,
      takesSavedCards: () => true,
      canKeepCards: () => false,
      links: { canSend: () => false, send: () => Promise.reject(new Error('nobody is texted here')) },
      pay: () => Promise.reject(new Error('nobody pays here')),
      log: { info: quiet, warn: quiet, error: quiet },
      settings: { ...PHONE_SETTINGS, maxCalls: 10, returnAllowed: [], maxCallsPerAccount, ...numbers },
      limits: { lookUpMs },
      load: { refuses: () => this.overload },
      onRefusal: (...refusal) => void this.refusals.push(refusal),
    };
    this.admission = new CallAdmission(deps);
  }

  async #leg(onKey: KeySink | null): Promise<MediaLeg> {
    await this.mediaAnswer();
    onKey?.(this.earlyKey, 'telephone_event');
    return {
      id: 'media',
      localSdp: 'v=0',
      play: () => new Promise(() => undefined),
      stop: () => undefined,
      detectTones: () => undefined,
      ignoreTones: () => undefined,
      receivesEvents: () => Promise.resolve(false),
      lost: new Promise(() => undefined),
      ring: () => undefined,
      quality: null,
      negotiate: () => Promise.reject(new Error('not usable')),
      bridge: () => Promise.resolve(),
      destroy: () => {
        this.destroyed += 1;
        return Promise.resolve();
      },
    };
  }

  /** Sends an INVITE. @returns the status of the refusal, or the leg that was answered */
  invite(user: string, change: Partial<IncomingCall> = {}): Promise<number | Leg> {
    return new Promise((resolve) => {
      this.handler({
        server: 'sip',
        sipCallId: newId('Call'),
        dialogId: 'd',
        requestUser: user,
        calledNumber: null,
        divertedFrom: [],
        callingNumber: null,
        sourceAddress: '127.0.0.1',
        allowsRefer: false,
        offerSdp: 'v=0',
        attestation: { verstats: [], levels: [], identities: [] },
        receivedAt: new Date(),
        canceled: new AbortController().signal,
        reject: (status, headers = {}) => {
          this.retryAfter = headers['Retry-After'] ?? null;
          resolve(status);
        },
        answer: () => {
          const leg = new Leg();
          resolve(leg);
          return Promise.resolve(leg);
        },
        ...change,
      });
    });
  }
}

export class Leg implements CallLeg {
  readonly sipCallId = 'x';
  readonly dialogId = 'd';
  readonly localContact = '<sip:x>';
  readonly facts = {
    callId: 'x',
    from: '<sip:x>;tag=1',
    to: '<sip:y>;tag=2',
    target: 'sip:y',
    routes: [],
    contact: '<sip:x>',
  };
  readonly reachable = true;
  readonly remoteSdp = '';
  hangUps = 0;
  end: (end: LegEnd) => void = () => undefined;
  readonly ended = new Promise<LegEnd>((resolve) => {
    this.end = resolve;
  });
  readonly onOffer = () => undefined;
  readonly offer = () => Promise.reject(new Error('nobody answers'));
  refer() {
    const result = Promise.resolve({ accepted: true } as const);
    return { result, succeededLate: new AbortController().signal };
  }
  hangUp(): Promise<void> {
    this.hangUps += 1;
    this.end({ by: 'us' });
    return Promise.resolve();
  }
}

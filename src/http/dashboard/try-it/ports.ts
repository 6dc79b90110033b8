/** The port of test calls: a scripted caller that dials a test-mode checkout and reports its steps and audio. */
import type { AccountId } from '../../../domain/ids.ts';

/** What the caller does. */
export interface TestCallOrder {
  accountId: AccountId;
  /** The name of a script of `ringkey call`. */
  script: string;
  /** The number of a test card; null for the script's own card. */
  card: string | null;
  /** Digits that replace the script's own, by the fields of `--enter`, for test cards of another processor. */
  enters?: Readonly<Record<string, string>>;
  /** The caller's number, E.164. */
  caller: string;
  /** Identifies the submitted form, so that it places only one call. */
  onceKey: string;
}

/** The checkout that the caller dials. */
export interface TestCheckout {
  /** `transfer_to`: the SIP address to dial. It holds the session's token. */
  transferTo: string;
  sessionId: string;
  merchantId: string;
  businessName: string;
  amountCents: number;
  currency: string;
  /** What the agent says before it transfers the call. */
  agentMessage: string;
  /** Null if calls to the caller's agent are not allowed. The line then says the outcome and hangs up. */
  returnTo: string | null;
}

/** What the caller did or heard. */
export interface TestCallStep {
  /** Time since the caller started. */
  atMs: number;
  /** `said`: by the line; `keyed`: keys, as dots where they are card data; `agent`: what the integrator's side does. */
  kind: 'sip' | 'said' | 'keyed' | 'silence' | 'agent' | 'page' | 'note';
  text: string;
  /** Of `said` and `silence`. */
  forMs: number | null;
  /** Of `said`: whether it was heard to its last word. */
  complete: boolean;
}

/** A test call: its current state and its changes. */
export interface TestCall {
  readonly id: string;
  readonly order: TestCallOrder;
  readonly checkout: TestCheckout;
  readonly startedAt: Date;
  /** In the order in which they were reported. */
  readonly steps: readonly TestCallStep[];
  /** `failed`: the caller's program ended before the call did. */
  readonly state: 'running' | 'over' | 'failed';
  /** How it ended, in words; null before. */
  readonly ending: string | null;
  /** Headers of the call that returned to the agent, such as `X-Ringkey-Outcome`. Empty if it did not return. */
  readonly headers: Readonly<Record<string, string>>;
  /** WAV file (8 kHz, mono, 16 bit) of the audio the caller heard. Null before the end, or if the call was not answered. */
  readonly recording: string | null;
  /** Makes the caller hang up. */
  hangUp(): void;
  /** Calls `listener` after each change. It must not throw. @returns a function that stops this */
  watch(listener: () => void): () => void;
}

/** Why the call was refused. */
export type TestCallRefusal = 'busy' | 'unavailable';

export interface TestCalls {
  /**
   * Starts the caller, creates its checkout and dials. If an order repeats while its call is still kept, returns that
   * call.
   * @param createCheckout is given the address of the caller's agent, for `return_to`
   * @throws what `createCheckout` throws
   */
  place(
    order: TestCallOrder,
    createCheckout: (returnTo: string) => Promise<TestCheckout>,
  ): Promise<TestCall | TestCallRefusal>;
  /** Null if it does not exist, belongs to another account, or ended more than 15 minutes ago. */
  find(accountId: AccountId, id: string): TestCall | null;
}

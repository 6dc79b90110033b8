/** The port of test calls: a scripted caller that dials a checkout of test mode, whose steps and sound can be followed. */
import type { AccountId } from '../../domain/ids.ts';

/** What the caller does. */
export interface TestCallOrder {
  accountId: AccountId;
  /** Name of one of the scripts of `ringkey call`. */
  script: string;
  /** A test card's number, in place of the script's; null: the script's own. */
  card: string | null;
  /** The caller's number, E.164. */
  caller: string;
  /** Of the form that was sent: a call is placed once under it. */
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
  /** Null where the account may send no calls to the caller's agent: the line says the outcome, and hangs up. */
  returnTo: string | null;
}

/** What the caller did or heard. */
export interface TestCallStep {
  /** Since the caller was there. */
  atMs: number;
  /** `said`: by the line; `keyed`: keys, as dots where they are card data; `agent`: what the integrator's side does. */
  kind: 'sip' | 'said' | 'keyed' | 'silence' | 'agent' | 'page' | 'note';
  text: string;
  /** Of `said` and `silence`. */
  forMs: number | null;
  /** Of `said`: whether it was heard to its last word. */
  complete: boolean;
}

/** One call: as it is now, and what changes. */
export interface TestCall {
  readonly id: string;
  readonly order: TestCallOrder;
  readonly checkout: TestCheckout;
  readonly startedAt: Date;
  /** In the order in which they became known. */
  readonly steps: readonly TestCallStep[];
  /** `failed`: the caller's program ended before the call did. */
  readonly state: 'running' | 'over' | 'failed';
  /** How it ended, in words; null before. */
  readonly ending: string | null;
  /** Of the call that came back to the agent: `X-Ringkey-Outcome` and the like. Empty where it has not. */
  readonly headers: Readonly<Record<string, string>>;
  /** WAV file (8 kHz, mono, 16 bit) of what the caller heard; null before the end, and where nobody answered. */
  readonly recording: string | null;
  /** Has the caller hang up. */
  hangUp(): void;
  /** Calls `listener` after each change. It must not throw. @returns what ends it */
  watch(listener: () => void): () => void;
}

/** Why there is no call. */
export type TestCallRefusal = 'busy' | 'unavailable';

export interface TestCalls {
  /**
   * Starts the caller, has its checkout created, and has it dial.
   * Of an order that comes again, and whose call is still kept, that call.
   * @param createCheckout is given the address of the caller's agent, for `return_to`
   * @throws what `createCheckout` throws
   */
  place(
    order: TestCallOrder,
    createCheckout: (returnTo: string) => Promise<TestCheckout>,
  ): Promise<TestCall | TestCallRefusal>;
  /** Null where there is none of this id, where it is another account's, and a quarter of an hour after its end. */
  find(accountId: AccountId, id: string): TestCall | null;
}

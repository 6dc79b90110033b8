/**
 * The states of a conversation. Only `collecting`, `sending_link` and `charging` hold card data, and every exit from
 * them wipes it.
 */
import type { BankAccountType } from '../domain/bank-account.ts';
import type { CallStage } from '../domain/call.ts';
import type { ProgressStep } from '../domain/call-progress.ts';
import type { DeclineCode } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { Secret } from '../domain/secret.ts';
import type { OfferedTip } from '../domain/tip.ts';
import type { Effect } from './effects.ts';
import type { FlowEvent } from './events.ts';
import type { AskLine, FieldError, Line } from './lines.ts';
import type { CallLanguage, ElsewherePayer, Field, OfferedCard, SpokenMerchant, Terms } from './terms.ts';

/** The fields that were keyed and accepted, or the saved card that was chosen instead. */
export interface CardSoFar {
  number: Secret | null;
  /** `MMYY`. */
  expiry: Secret | null;
  /** Null again as soon as a charge is ordered: it may be sent once and must not be kept (PCI DSS 3.3.1). */
  securityCode: Secret | null;
  postalCode: Secret | null;
  saved: OfferedCard | null;
  /** Of a bank account instead of a card. */
  routingNumber: Secret | null;
  accountNumber: Secret | null;
  accountType: BankAccountType | null;
}

/** The data that a conversation carries from state to state while a payment is possible. */
export interface Context {
  terms: Terms;
  card: CardSoFar;
  /** The saved cards that are still on offer. */
  savedCards: readonly OfferedCard[];
  /**
   * Whether to save the card: the question that the caller answered with yes; `no`, which holds for the whole call;
   * null if not asked yet.
   */
  agreedTo: AskLine | 'no' | null;
  /** The part that the caller pays, in minor units, or `all`, kept for every card of the call. Null: not asked yet. */
  part: number | 'all' | null;
  /** The caller's choice of a tip, kept for every card of the call. Null: not asked yet. */
  tip: OfferedTip | 'none' | null;
  declines: number;
  /** The caller has heard the terms of the bank debit to their end. */
  heardTerms: boolean;
  /** How often the two account numbers differed. */
  mismatches: number;
  lastDecline: { chargeId: ChargeId; code: DeclineCode } | null;
  /** Keys pressed so far, against MAX_KEYS. */
  keys: number;
  language: CallLanguage;
  /** How many of these keys have changed the language. */
  languageChanges: number;
  /** Whether the caller has opened the pay page, and whether the line has said so. */
  page: 'unopened' | 'opened' | 'announced';
  /** How many silences did not count as a failed try, because the caller may be busy on the page. */
  patience: number;
  /** The pay link that was texted on this call. Null: none. */
  link: TextedLink | null;
  /** The call ends, unpaid, as soon as no charge is in progress. The line asks for nothing more. */
  endRequested: boolean;
}

interface TextedLink {
  /** Last two digits of the number that got the text. */
  lastTwo: string;
  /** How many times 20 s have passed without a payment. */
  waits: number;
  /** Whether the line has told the caller. */
  isAnnounced: boolean;
}

/** A field to ask for. `error`: why it is asked for again. */
export interface Question {
  field: Field;
  error: FieldError | null;
}

/** The question that is resumed when something else is done. */
export interface PausedQuestion {
  question: Question;
  later: readonly Question[];
  failures: number;
}

export type ContextByLink = Context & { link: TextedLink };

/** The answer to a charge: the processor's, or the reason why the processor was not asked. */
export type ChargeAnswer =
  | Extract<FlowEvent, { type: 'paid' | 'declined' | 'debited' | 'saved_card_unusable' | 'unconfirmed' | 'refused' }>
  | Elsewhere;

/** News of a payment that is made elsewhere. */
export type Elsewhere = Extract<FlowEvent, { type: 'paying_elsewhere' | ElsewhereResult['type'] }>;
export type ElsewhereResult = Extract<FlowEvent, { type: 'paid_elsewhere' | 'declined_elsewhere' }>;

export type State =
  /** The caller has payments waiting at several merchants and is asked which one this call is for. */
  | {
      kind: 'choosing_merchant';
      /** In the order of their keys, at most MAX_MERCHANTS. */
      merchants: readonly SpokenMerchant[];
      /** The call is answered, and the question has started. */
      isAsked: boolean;
      failures: number;
      keys: number;
      /**
       * A key without a merchant was pressed. The following keys may belong to a card number, so they choose nothing
       * until a pause.
       */
      astray: boolean;
      speaking: boolean;
      /** The last key was `*`. */
      starred: boolean;
    }
  /** The session of the chosen merchant is being claimed for this call. */
  | { kind: 'claiming_session'; speaking: boolean; endRequested: boolean }
  /** The call is not answered yet. */
  | { kind: 'ringing'; context: Context }
  | {
      kind: 'collecting';
      context: Context;
      question: Question;
      /** The fields to ask for after this one. */
      later: readonly Question[];
      keyed: Secret;
      /** Failed tries at this field, 0 … MAX_TRIES - 1. */
      failures: number;
      /** The question is still being spoken. */
      speaking: boolean;
      /** The last key was `*`. A second one in a row returns to the agent. */
      starred: boolean;
      /** The last key was `#`, with nothing keyed. A second one in a row requests the link. */
      pounded: boolean;
    }
  /** The link is being texted. */
  | {
      kind: 'sending_link';
      context: Context;
      /**
       * The question to resume if no text is sent, with the card so far. Null if the processor accepts no keyed cards.
       */
      paused: PausedQuestion | null;
      speaking: boolean;
      /** An answer that came during a sentence. The line says it after the sentence. */
      answer: EventOf<'link'> | null;
      /** The line has said that it takes a moment. */
      announced: boolean;
      starred: boolean;
    }
  /** The link was texted, and the line waits for the payment on the page. */
  | { kind: 'by_link'; context: ContextByLink; speaking: boolean; starred: boolean }
  | {
      kind: 'charging';
      context: Context;
      speaking: boolean;
      /** An answer that came during a sentence. The line says it after the sentence. */
      answer: ChargeAnswer | null;
      /** How many times "still working" was said. */
      renewals: number;
    }
  /** Another charge of the session is pending: the line asks for nothing until it is settled. */
  | {
      kind: 'waiting';
      context: Context;
      by: ElsewherePayer;
      chargeId: ChargeId;
      speaking: boolean;
      /** A result that came during a sentence. The line says it after the sentence. */
      result: ElsewhereResult | null;
      renewals: number;
      /** The payer has to confirm it on the page. */
      bankAsks: boolean;
      /** The last key was `*`. */
      starred: boolean;
    }
  /** The caller has left, and the charge is not settled yet. */
  | { kind: 'settling' }
  /** The sentence with the outcome is being spoken. */
  | { kind: 'leaving'; outcome: CallOutcome; returns: boolean; line: Line }
  /** Returning to the agent. */
  | { kind: 'returning'; outcome: CallOutcome }
  /** The agent could not be reached: the goodbye is being spoken. */
  | { kind: 'goodbye'; outcome: CallOutcome }
  | { kind: 'ended'; outcome: CallOutcome };

export type Kind = State['kind'];
export type StateOf<K extends Kind> = Extract<State, { kind: K }>;
export type EventType = FlowEvent['type'];
export type EventOf<T extends EventType> = Extract<FlowEvent, { type: T }>;

/** The table's answer to one event. Effects are performed in order. */
export interface Step {
  state: State;
  effects: Effect[];
}

const NO_CARD: CardSoFar = {
  number: null,
  expiry: null,
  securityCode: null,
  postalCode: null,
  saved: null,
  routingNumber: null,
  accountNumber: null,
  accountType: null,
};

/**
 * The conversation before the call is answered.
 * @param endRequested it must end as soon as the session's state is known
 */
export function startConversation(terms: Terms, endRequested = false): State {
  return {
    kind: 'ringing',
    context: {
      savedCards: terms.savedCards,
      terms,
      card: NO_CARD,
      agreedTo: null,
      part: null,
      tip: null,
      declines: 0,
      heardTerms: false,
      mismatches: 0,
      lastDecline: null,
      keys: 0,
      page: 'unopened',
      patience: 0,
      link: null,
      language: 'first',
      languageChanges: 0,
      endRequested,
    },
  };
}

/**
 * Wipes the card.
 * @returns the context to continue with: a yes to saving was for this card only, a no is for the whole call
 */
export function wipeCard(context: Context): Context {
  for (const part of Object.values(context.card)) if (part instanceof Secret) part.wipe();
  return { ...context, card: NO_CARD, heardTerms: false, agreedTo: context.agreedTo === 'no' ? 'no' : null };
}

/** Wipes all card data of a state, for a conversation that is abandoned. Idempotent. */
export function wipeState(state: State): void {
  if (state.kind === 'collecting') state.keyed.wipe();
  if (state.kind === 'collecting' || state.kind === 'charging' || state.kind === 'sending_link')
    wipeCard(state.context);
}

/**
 * The outcome with the charge of the last decline, so that the agent learns about it even if the caller gave up
 * afterwards.
 */
export function outcomeAfter(context: Context, outcome: CallOutcome): CallOutcome {
  if (context.lastDecline === null) return outcome;
  return { chargeId: context.lastDecline.chargeId, declineCode: context.lastDecline.code, ...outcome };
}

/** Records the decline of a payment elsewhere in the same way. */
export function withDeclineElsewhere<C extends Context>(
  context: C,
  { chargeId, code }: EventOf<'declined_elsewhere'>,
): C {
  return code === null ? context : { ...context, lastDecline: { chargeId, code } };
}

/** The stage of a call, from the state of its conversation. */
export function stageOf(state: State): CallStage {
  switch (state.kind) {
    case 'choosing_merchant':
    case 'claiming_session':
    case 'ringing':
      return 'greeting';
    case 'collecting':
      return stageOfField(state.question.field);
    // The text is not on its way yet.
    case 'sending_link':
      return state.paused === null ? 'greeting' : stageOfField(state.paused.question.field);
    case 'charging':
    case 'settling':
      return 'paying';
    case 'by_link':
    case 'waiting':
    case 'returning':
    case 'ended':
      return state.kind;
    case 'leaving':
    case 'goodbye':
      return 'leaving';
  }
}

/** How many keys of the answer to the current question the caller has pressed. 0 if the line asks for nothing. */
export const keyedDigits = (state: State): number => (state.kind === 'collecting' ? state.keyed.length : 0);

/** What the line does, for the integrator. Null while it says the outcome, and after the call. */
export function progressOf(state: State): ProgressStep | null {
  const first = (name: ProgressStep['name']) => ({ name, attempt: 1 });
  switch (state.kind) {
    case 'choosing_merchant':
    case 'claiming_session':
    case 'ringing':
      return first('greeting');
    case 'collecting':
      return { name: stepOfField(state.question.field), attempt: state.failures + 1 };
    case 'charging':
      return { name: 'charging', attempt: state.context.declines + 1 };
    case 'waiting':
      return first('charging');
    case 'sending_link':
    case 'by_link':
      return first('link');
    case 'returning':
      return first('returning');
    case 'settling':
    case 'leaving':
    case 'goodbye':
    case 'ended':
      return null;
  }
}

function stepOfField(field: Field): ProgressStep['name'] {
  switch (field) {
    case 'part':
    case 'part_amount':
    case 'tip':
    case 'keep_card':
    case 'confirmation':
    case 'debit_terms':
      return 'confirm';
    case 'routing_number':
    case 'account_number':
    case 'account_number_again':
    case 'account_type':
      return 'bank_account';
    default:
      return field;
  }
}

/** Viewers do not learn that there are saved cards. */
function stageOfField(field: Field): CallStage {
  switch (field) {
    case 'saved_card':
      return 'card_number';
    case 'method':
      return 'greeting';
    case 'routing_number':
    case 'account_number':
    case 'account_number_again':
    case 'account_type':
      return 'bank_account';
    case 'part':
    case 'part_amount':
    case 'tip':
    case 'debit_terms':
      return 'confirmation';
    default:
      return field;
  }
}

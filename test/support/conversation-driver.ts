/** Drives the conversation table without a phone: sends it events and carries out its effects in memory. */
import type { ChargeId, InstrumentId } from '../../src/domain/ids.ts';
import { parseId } from '../../src/domain/ids.ts';
import type { CallOutcome } from '../../src/domain/outcome.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Effect, KeyedAccount, KeyedCard } from '../../src/flow/effects.ts';
import type { FlowEvent } from '../../src/flow/events.ts';
import type { AskLine, Line } from '../../src/flow/lines.ts';
import { type State, startConversation, startMerchantChoice, step } from '../../src/flow/table.ts';
import type { OfferedCard, SpokenMerchant, Terms } from '../../src/flow/terms.ts';

/** Without digits, because a test searches the state of a call for the digits of its card. */
const CHARGE_ID = parseId('Charge', 'ch_rehearsal') as ChargeId;

export const TERMS: Terms = {
  asksPostalCode: false,
  asksConfirmation: false,
  tips: [],
  asksToKeepCard: false,
  acceptedBrands: ['visa', 'mastercard', 'american-express', 'discover'],
  takesKeypad: true,
  offersLanguage: false,
  canTextLink: false,
  today: { month: 9, year: 2026 },
  returns: true,
  back: null,
  savedCards: [],
};

/** Three merchants to choose from. */
export const MERCHANTS: readonly SpokenMerchant[] = ['Demo Books', 'Demo Diner', 'Demo Market'].map((businessName) => ({
  businessName,
  amount: { amountCents: 4_250, currency: 'USD' },
}));

/** An offered saved card; without digits in its ID, like the charge. */
export function offeredCard(name: string, brand: string, lastFour: string): OfferedCard {
  return { id: parseId('Instrument', `card_${name}`) as InstrumentId, brand, lastFour };
}

export class ConversationDriver {
  state: State;
  /** Every spoken line, oldest first. */
  readonly lines: Line[] = [];
  readonly effects: Effect[] = [];
  readonly charges: KeyedCard[] = [];
  readonly accounts: KeyedAccount[] = [];
  readonly savedCharges: InstrumentId[] = [];
  /** For each charge: its part, or null if it is of all. */
  readonly parts: (number | null)[] = [];
  /** For each charge: its tip. */
  readonly tips: number[] = [];
  /** For each charge: the consent line that the caller agreed to, if any. */
  readonly agreements: (AskLine | null)[] = [];
  readonly notes: string[] = [];
  /** The index of the merchant whose session is being claimed; null if none is. */
  taking: number | null = null;
  /** How many times a text with the link was requested. */
  links = 0;
  /** Whether a sentence is being spoken. */
  speaking = false;
  /** Milliseconds of the current timer; null if none is running. */
  waiting: number | null = null;
  returnedWith: CallOutcome | null = null;
  endedWith: CallOutcome | null = null;

  readonly takesKeypad: boolean;
  readonly terms: Terms;

  /** @param merchants among which the caller first chooses */
  constructor(terms: Partial<Terms> = {}, merchants: readonly SpokenMerchant[] = []) {
    this.terms = { ...TERMS, ...terms };
    this.takesKeypad = this.terms.takesKeypad;
    this.state = merchants.length > 0 ? startMerchantChoice(merchants) : startConversation(this.terms);
  }

  /** A conversation after the answer and the greeting. */
  static afterGreeting(terms: Partial<Terms> = {}): ConversationDriver {
    return new ConversationDriver(terms).send({ type: 'answered' }).finishSentence();
  }

  send(event: FlowEvent): this {
    const { state, effects } = step(this.state, event);
    this.state = state;
    for (const effect of effects) this.#carryOut(effect);
    return this;
  }

  /** Presses keys one after the other, e.g. `4242*`. */
  pressKeys(keys: string): this {
    for (const key of keys) this.send({ type: 'key', key: Secret.of(key) });
    return this;
  }

  /** Ends the sentence being spoken. */
  finishSentence(): this {
    if (!this.speaking) throw new Error('nothing is being said');
    this.speaking = false;
    return this.send({ type: 'prompt_ended' });
  }

  /** Lets the current timer expire. */
  letWaitExpire(): this {
    if (this.waiting === null) throw new Error('nothing is being waited for');
    this.waiting = null;
    return this.send({ type: 'silence' });
  }

  /** The latest line. */
  get lastLine(): Line | undefined {
    return this.lines.at(-1);
  }

  /** The `chargeId` in a verdict. */
  readonly chargeId: ChargeId = CHARGE_ID;

  #carryOut(effect: Effect): void {
    this.effects.push(effect);
    switch (effect.type) {
      case 'say':
        this.speaking = true;
        this.lines.push(effect.line);
        return;
      case 'stop_speaking':
        this.speaking = false;
        return;
      case 'start_timer':
        this.waiting = effect.ms;
        return;
      case 'cancel_timer':
        this.waiting = null;
        return;
      case 'charge':
        this.charges.push(effect.card);
        this.parts.push(effect.partCents);
        this.tips.push(effect.tipCents);
        this.agreements.push(effect.agreedTo);
        return;
      case 'charge_saved':
        this.savedCharges.push(effect.cardId);
        this.parts.push(effect.partCents);
        this.tips.push(effect.tipCents);
        return;
      case 'charge_account':
        this.accounts.push(effect.account);
        this.agreements.push(effect.agreedTo);
        return;
      case 'claim_session':
        this.taking = effect.place;
        return;
      case 'send_link':
        this.links += 1;
        return;
      case 'return':
        this.returnedWith = effect.outcome;
        return;
      case 'hang_up':
        this.endedWith = effect.outcome;
        this.speaking = false;
        this.waiting = null;
        return;
      case 'note':
        this.notes.push(effect.step);
    }
  }
}

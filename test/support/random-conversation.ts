/** A random conversation with the flow's table: the caller, the processor, the page and the agent all act at random. */
import { DECLINE_CODES } from '../../src/domain/charge.ts';
import { Secret } from '../../src/domain/secret.ts';
import { tipsOn } from '../../src/domain/tip.ts';
import type { FlowEvent } from '../../src/flow/events.ts';
import type { Line } from '../../src/flow/lines.ts';
import type { Terms } from '../../src/flow/terms.ts';
import { ConversationDriver, MERCHANTS, offeredCard } from './conversation-driver.ts';
import type { Random } from './random.ts';

const MAX_EVENTS = 2_500;

type ChargeAnswer = 'paid' | 'declined' | 'unconfirmed' | 'refused';

const CARDS = ['4242424242424242', '5555555555554444', '378282246310005', '4222222222222', '4242424242424241'] as const;
/** Newest first. */
const SAVED_CARDS = ['1881', '0005', '4444'].map((lastFour, place) =>
  offeredCard('abc'.charAt(place), 'VISA', lastFour),
);
const TIPS = tipsOn({ amountCents: 4_250, currency: 'USD' }, [10, 15, 20]);
const KEYS = [...'0123456789*#'] as [string, ...string[]];

/** The answer of a cooperative caller to a line; usually right. */
function answerTo(line: Line | undefined, random: Random): string {
  if (random.oneIn(25)) return random.pick(['##', '##', '######', '#']);
  if (line === undefined || random.oneIn(12)) return random.pick(KEYS) + (random.oneIn(3) ? random.pick(KEYS) : '');
  if (line.name === 'debit_agree') return random.pick(['1', '1', '2', '4']);
  if (line.name === 'choose_merchant') return random.pick(['1', '1', '2', '2', '3', '8', '*', random.pick(CARDS)]);
  const field = line.name === 'ask' ? line.field : line.name === 'declined' ? line.next : 'card_number';
  switch (field) {
    case 'saved_card':
      return random.pick(['1', '1', '2', '2', '3', '*', '7', random.pick(CARDS)]);
    case 'card_number':
      return 'savedCards' in line && random.oneIn(3) ? '1' : random.pick(CARDS);
    case 'expiry':
      return random.pick(['0928', '092028', '0825', '1328', '0920', '1129#']);
    case 'security_code':
      return random.pick(['123', '1234', '12#']);
    case 'postal_code':
      return random.pick(['94107', '2000#', '9']);
    case 'keep_card':
      return random.pick(['1', '1', '2', '5', '#1', '*1']);
    case 'part':
      return random.pick(['1', '2', '2', '2', '7', '*']);
    case 'part_amount':
      return random.pick(['20#', '5', '20*5', '12*50', '1#', '4250#', '42*5#', '2**', `${random.pick(CARDS)}#`]);
    case 'tip':
      return random.pick(['1', '2', '0', '3', '7', '*', '#']);
    case 'confirmation':
      return random.pick(['1', '1', '1', '2', '3', '3', '4', '5']);
    case 'method':
      return random.pick(['1', '2', '2', '7', random.pick(CARDS)]);
    case 'routing_number':
      return random.pick(['110000000', '110000000', '110000000', '110000001', '1100#']);
    case 'account_number':
    case 'account_number_again':
      return random.pick(['000123456789#', '000123456789#', '000123456789#', '000123456780#', '12#']);
    case 'account_type':
      return random.pick(['1', '2', '2', '3']);
    case 'debit_terms':
      return random.pick(['1', '1', '2', '4']);
  }
}

/** The key with which the caller agrees to save this card, if the line offers it. */
function keyForKeeping(line: Line | undefined): string | null {
  if (line?.name !== 'ask') return null;
  return line.field === 'keep_card' ? '1' : line.offersKeeping === true ? '3' : null;
}

function asksForCard(line: Line): boolean {
  switch (line.name) {
    case 'ask':
      return line.field === 'card_number' || line.field === 'saved_card';
    case 'saved_card_unusable':
      return true;
    case 'declined':
      return line.next === 'card_number';
    case 'greeting':
      return line.byLink !== true;
    case 'link_sent':
    case 'declined_elsewhere':
      return line.byLink !== 'link_only';
    default:
      return false;
  }
}

/** One call with a random environment. */
export class RandomConversation {
  readonly driver: ConversationDriver;
  readonly random: Random;
  /** Digits that the caller is about to press. */
  fingers = '';
  events = 0;
  answers: ChargeAnswer[] = [];
  inFlight = false;
  /** The charge of the pay page: at most one charge of the session is pending or succeeded. */
  page: 'none' | 'pending' | 'paid' = 'none';
  /** The page's news that reached the conversation while it could still use it. */
  announced: 'nothing' | 'pending' | 'paid' = 'nothing';
  /** How many requests to text the link were answered, and whether one was texted. */
  linksAnswered = 0;
  isLinkSent = false;
  /** Whether the caller agreed to save the card after the latest question for its number. */
  agreed = false;
  /** The end of the call was requested. A charge or a sentence that is in progress continues. */
  endRequested = false;

  constructor(random: Random) {
    this.random = random;
    const merchants = random.oneIn(6) ? MERCHANTS.slice(0, random.pick([2, 3])) : [];
    const terms: Partial<Terms> = {
      asksPostalCode: random.oneIn(3),
      asksConfirmation: random.oneIn(3),
      ...(random.oneIn(3) && { part: { minimumCents: 500, totalCents: 4_250, decimals: 2 } }),
      tips: random.oneIn(3) ? random.pick([TIPS, TIPS.slice(0, 1)]) : [],
      asksToKeepCard: random.oneIn(2),
      returns: !random.oneIn(4),
      takesKeypad: !random.oneIn(12),
      canTextLink: !random.oneIn(4),
      offersLanguage: random.oneIn(3),
      back: random.pick([null, 'after_call', 'link_texted'] as const),
      ...(random.oneIn(4) && { offersBankAccount: true as const }),
      savedCards: random.oneIn(2) ? [] : SAVED_CARDS.slice(0, random.pick([1, 1, 2, 3])),
    };
    this.driver = new ConversationDriver(terms, merchants);
  }

  run(): void {
    while (this.driver.endedWith === null) {
      const { accounts, lastLine: line } = this.driver;
      const before = { charges: this.#charges, accounts: accounts.length, line };
      const event = this.#next();
      const yes = keyForKeeping(this.driver.lastLine);
      const isYes = yes !== null && event.type === 'key' && event.key.reveal((key) => key === yes);
      const lines = this.driver.lines.length;
      this.driver.send(event);
      this.events += 1;
      this.#linkAnnounced(event);
      // A yes is valid for one card, and ends with the next number.
      if (isYes) this.agreed = true;
      if (this.driver.lines.slice(lines).some(asksForCard)) this.#cardAskedFor();
      this.#chargeOrdered(before);
      this.#somethingIsUnderWay();
      if (this.events > MAX_EVENTS) throw new Error('the call does not end');
    }
  }

  /** The line must not say only that nothing was charged while a text with the link is on its way. */
  #linkAnnounced(event: FlowEvent): void {
    const { state } = this.driver;
    if (event.type !== 'link' || event.result !== 'sent' || state.kind !== 'leaving') return;
    const { line } = state;
    const isSilent = line.name === 'canceled' || (line.name === 'call_ended' && !line.hasLink);
    if (isSilent || state.outcome.kind === 'canceled') throw new Error(`a link that nobody hears of: ${line.name}`);
  }

  #cardAskedFor(): void {
    this.agreed = false;
    if (this.announced !== 'nothing' || this.inFlight) throw new Error('a card asked for while one is pending');
    if (this.endRequested) throw new Error('a card asked for on a call that is to end');
    if (!this.driver.takesKeypad) throw new Error('a card asked for where none can be keyed');
  }

  #next(): FlowEvent {
    const { driver, random } = this;
    if (driver.links > this.linksAnswered && random.oneIn(4)) return this.#linkAnswer();
    if (random.oneIn(150)) return { type: random.pick(['hung_up', 'media_lost']) };
    if (driver.state.kind === 'by_link' && random.oneIn(60)) {
      return { type: 'link', result: 'not_sent', reason: 'unavailable' };
    }
    if (random.oneIn(driver.state.kind === 'charging' ? 100 : 900)) {
      this.endRequested = true;
      return { type: 'end_requested' };
    }
    if (random.oneIn(200)) return this.#stray();
    if (random.oneIn(this.page === 'pending' ? 12 : driver.state.kind === 'by_link' ? 40 : 120)) {
      const news = this.#pageNews();
      if (news !== null) return news;
    }
    if (driver.state.kind === 'claiming_session' && random.oneIn(2)) return this.#sessionAnswer();
    if (driver.state.kind === 'choosing_merchant' && !driver.state.isAsked) return { type: 'answered' };
    if (driver.state.kind === 'ringing') return random.oneIn(20) ? this.#key() : { type: 'answered' };
    if (this.inFlight && random.oneIn(4)) return this.#answer();
    if (driver.state.kind === 'returning') return { type: random.oneIn(4) ? 'return_failed' : 'returned' };
    if (driver.speaking && random.oneIn(2)) {
      driver.speaking = false;
      return { type: 'prompt_ended' };
    }
    if (driver.waiting !== null && random.oneIn(this.fingers === '' ? 6 : 60)) {
      driver.waiting = null;
      return { type: 'silence' };
    }
    return this.#key();
  }

  /** Whether the chosen session could be claimed; sometimes another call has it. */
  #sessionAnswer(): FlowEvent {
    return this.random.oneIn(10)
      ? { type: 'session_not_claimed' }
      : { type: 'session_claimed', terms: this.driver.terms };
  }

  #key(): FlowEvent {
    if (this.fingers === '') this.fingers = answerTo(this.driver.lastLine, this.random);
    const key = this.fingers.slice(0, 1);
    this.fingers = this.fingers.slice(1);
    return { type: 'key', key: Secret.of(key) };
  }

  /** The result of the text. An ended session is reported only if no charge of the call waits for its answer. */
  #linkAnswer(): FlowEvent {
    const { random, driver } = this;
    this.linksAnswered += 1;
    if (random.oneIn(20) && ['collecting', 'sending_link', 'by_link'].includes(driver.state.kind)) {
      this.answers.push('refused');
      return { type: 'refused', reason: 'expired' };
    }
    if (random.oneIn(4)) return { type: 'link', result: 'not_sent', reason: random.pick(['opted_out', 'too_often']) };
    // Too late for a caller who is already returning.
    if (!['settling', 'returning', 'goodbye', 'ended'].includes(driver.state.kind)) this.isLinkSent = true;
    return { type: 'link', result: 'sent', lastTwo: '34' };
  }

  /** The payer's actions on the page. The phone does not receive them while its own charge is in flight. */
  #pageNews(): FlowEvent | null {
    const { random, inFlight } = this;
    const { chargeId, state } = this.driver;
    // The call watches no session yet.
    if (state.kind === 'choosing_merchant' || state.kind === 'claiming_session') return null;
    if (this.page === 'none' && !inFlight && random.oneIn(3)) return { type: 'page_opened' };
    const isReceived = !inFlight && !random.oneIn(4);
    const isAnnounced = isReceived && !['returning', 'goodbye', 'ended'].includes(state.kind);
    const by = random.pick(['page', 'page', 'other'] as const);
    if (this.page === 'none') {
      if (inFlight || this.answers.some((answer) => answer === 'paid' || answer === 'unconfirmed')) return null;
      this.page = 'pending';
      if (isAnnounced) this.announced = 'pending';
      // A refusal that waits for the end of a sentence is no longer spoken.
      if (isAnnounced && state.kind === 'charging' && this.answers.at(-1) === 'refused') this.answers.pop();
      return isReceived ? random.pick<FlowEvent>([{ type: 'paying_elsewhere', by, chargeId }, this.#unknown()]) : null;
    }
    // The processor has not answered.
    if (this.page === 'pending' && random.oneIn(4)) {
      if (isAnnounced) this.announced = 'pending';
      if (isAnnounced && state.kind === 'charging' && this.answers.at(-1) === 'refused') this.answers.pop();
      return isReceived ? this.#unknown() : null;
    }
    if (this.page === 'paid' || random.oneIn(2)) {
      this.page = 'paid';
      // Another goodbye reports the success.
      if (isAnnounced || (isReceived && state.kind === 'goodbye')) this.announced = 'paid';
      return isReceived ? { type: 'paid_elsewhere', chargeId } : null;
    }
    this.page = 'none';
    // After a decline that it missed, the conversation would wait for a finished charge. During the last sentence that
    // changes nothing, because the outcome may already be pending.
    if (isAnnounced && state.kind !== 'leaving') this.announced = 'nothing';
    return isReceived
      ? { type: 'declined_elsewhere', by, chargeId, code: random.pick([...DECLINE_CODES, null]) }
      : null;
  }

  #unknown(): FlowEvent {
    const { chargeId } = this.driver;
    return { type: 'unconfirmed', chargeId, elsewhere: { textFollows: this.random.oneIn(2) } };
  }

  /** The page's charge, or another one of the order, came first: the index allows no second one. */
  #cameSecond(): FlowEvent {
    const { chargeId } = this.driver;
    this.inFlight = false;
    this.announced = this.page === 'paid' ? 'paid' : 'pending';
    if (this.page === 'paid') return { type: 'refused', reason: 'already_paid', chargeId };
    return this.random.oneIn(3) ? this.#unknown() : { type: 'paying_elsewhere', by: 'page', chargeId };
  }

  #answer(): FlowEvent {
    if (this.page !== 'none') return this.#cameSecond();
    const { random } = this;
    const { chargeId, agreements } = this.driver;
    if (this.#isSaved && random.oneIn(4)) {
      this.inFlight = false;
      return { type: 'saved_card_unusable' };
    }
    const type = random.pick<ChargeAnswer>(['paid', 'declined', 'declined', 'unconfirmed', 'refused']);
    this.inFlight = false;
    this.answers.push(type);
    if (this.#isAccount && type === 'unconfirmed' && random.oneIn(2)) return { type: 'debited', chargeId };
    if (type === 'declined') return { type, chargeId, code: random.pick(DECLINE_CODES) };
    if (type === 'paid')
      return {
        type,
        chargeId,
        cardSaved: !this.#isSaved && !this.#isAccount && agreements.at(-1) !== null && !random.oneIn(3),
      };
    return type === 'refused'
      ? { type, reason: random.pick(['expired', 'unavailable', 'too_many_attempts', 'merchant_fault']) }
      : { type, chargeId };
  }

  /** An event that is unexpected here, without those that the table would accept. */
  #stray(): FlowEvent {
    const { chargeId } = this.driver;
    const harmless: FlowEvent = this.random.pick<FlowEvent>([{ type: 'answered' }, { type: 'hung_up' }]);
    if (this.inFlight) return harmless;
    return this.random.pick<FlowEvent>([
      harmless,
      { type: 'paid', chargeId },
      { type: 'declined', chargeId, code: 'lost_card' },
      { type: 'returned' },
    ]);
  }

  /** Checks that at most one charge is in flight, and none follows one that was or may be paid. */
  #chargeOrdered(before: { charges: number; accounts: number; line: Line | undefined }): void {
    const ordered = this.#charges - before.charges;
    if (ordered === 0) return;
    if (this.endRequested) throw new Error('a charge on a call that is to end');
    if (ordered > 1 || this.inFlight) throw new Error('two charges in flight');
    if (this.answers.some((answer) => answer !== 'declined')) throw new Error('a charge after the last word');
    if (this.announced !== 'nothing') throw new Error('a charge beside the one on the page');
    if (this.answers.length > 2) throw new Error('a fourth charge');
    this.#isAccount = this.driver.accounts.length > before.accounts;
    this.inFlight = true;
    // A bank debit has no tip: its terms say the amount of the checkout.
    if (this.#isAccount) this.#accountDebited(before.line);
    else this.#cardCharged(before.line);
  }

  #cardCharged(question: Line | undefined): void {
    this.#amountWasSaid();
    if (this.#isSaved) this.#savedCardCharged(question);
    else if ((this.driver.agreements.at(-1) !== null) !== this.agreed)
      throw new Error('a card kept unasked, or not kept');
  }

  /** Checks that the part and the tip of the charge are those of the confirmation that the line said last. */
  #amountWasSaid(): void {
    const { lines, tips, parts, terms } = this.driver;
    const said = lines.findLast((line) => line.name === 'ask' && line.field === 'confirmation');
    const tip = said?.name === 'ask' ? (said.tip?.tipCents ?? 0) : 0;
    if (tips.at(-1) !== tip) throw new Error('another tip charged than the line has said');
    const remaining = said?.name === 'ask' ? (said.remainingCents ?? 0) : 0;
    const part = parts.at(-1) ?? null;
    const left = part === null ? 0 : (terms.part?.totalCents ?? 0) - part;
    if (left !== remaining) throw new Error('another part charged than the line has said');
    if (part !== null && (part < 500 || part >= 4_250)) throw new Error('a part that was not on offer');
  }

  get #charges(): number {
    return this.driver.charges.length + this.driver.savedCharges.length + this.driver.accounts.length;
  }

  /** The latest charge is of a saved card. Saved cards are on offer only before the first charge. */
  get #isSaved(): boolean {
    const { savedCharges, charges, accounts } = this.driver;
    return savedCharges.length > 0 && charges.length === 0 && accounts.length === 0;
  }

  /** The latest charge is of a bank account. */
  #isAccount = false;

  /** Checks that the caller heard the terms of the debit. */
  #accountDebited(question: Line | undefined): void {
    const isTerms = question?.name === 'debit_agree' || (question?.name === 'ask' && question.field === 'debit_terms');
    if (!isTerms || !this.driver.terms.offersBankAccount) throw new Error('an account debited without its terms');
  }

  /** Checks that a charged saved card was offered, and that the question named it. */
  #savedCardCharged(question: Line | undefined): void {
    const { savedCharges, terms } = this.driver;
    if (savedCharges.length !== 1) throw new Error('a second saved card charged');
    if (!terms.savedCards.some(({ id }) => id === savedCharges[0]))
      throw new Error('a saved card that was not on offer');
    const isConfirmed = question?.name === 'ask' && question.field === 'confirmation';
    const isOffered =
      question !== undefined &&
      // The page's news comes after the offer.
      ('savedCards' in question || question.name === 'page_opened' || question.name === 'page_patience');
    if (!isConfirmed && (terms.asksConfirmation || terms.tips.length > 0 || terms.part !== undefined || !isOffered)) {
      throw new Error('a saved card charged unasked');
    }
  }

  /** Checks that a live call is always speaking, listening with a limit, charging or returning. */
  #somethingIsUnderWay(): void {
    const { speaking, waiting, state, endedWith } = this.driver;
    const isUp = !(state.kind === 'choosing_merchant' && !state.isAsked);
    const alive =
      !isUp || speaking || waiting !== null || ['ringing', 'returning', 'claiming_session'].includes(state.kind);
    if (endedWith === null && !alive) throw new Error(`silence without end in ${state.kind}`);
  }

  /** Wipes card data, as its receiver must. */
  wipeCharges(): void {
    for (const account of this.driver.accounts) {
      account.routingNumber.wipe();
      account.accountNumber.wipe();
    }
    for (const card of this.driver.charges) {
      for (const part of [card.number, card.expiry, card.securityCode, card.postalCode]) part?.wipe();
    }
  }
}

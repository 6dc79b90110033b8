/**
 * Runs the conversation's state table for one call: takes events one at a time and performs the effects. Knows nothing
 * about SIP, and holds card data only as long as the table's state does.
 */
import type { CallStage } from '../domain/call.ts';
import type { ProgressStep } from '../domain/call-progress.ts';
import type { InstrumentId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';
import type { ChargedAmount, Effect, KeyedAccount, KeyedCard } from '../flow/effects.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { AskLine, Line } from '../flow/lines.ts';
import { keyedDigits, progressOf, stageOf } from '../flow/state.ts';
import { type State, step, wipeState } from '../flow/table.ts';
import type { CallLanguage } from '../flow/terms.ts';
import type { MediaLeg } from './ports.ts';

export interface ConversationPorts {
  media: Pick<MediaLeg, 'play' | 'stop'>;
  /** Resolves to the paths of the audio files of a line. */
  files(line: Line): Promise<readonly string[]>;
  /** The audio of a line could not be played, so the caller has not heard it. */
  notPlayed(line: Line): void;
  /**
   * Takes the payment; resolves to its event. `agreedTo`: the question to which the caller answered yes, to save the
   * card.
   */
  charge(card: KeyedCard, agreedTo: AskLine | null, amount: ChargedAmount): Promise<FlowEvent>;
  /** Takes the payment from a saved card; resolves to its event. */
  chargeSaved(cardId: InstrumentId, amount: ChargedAmount): Promise<FlowEvent>;
  /** Debits the bank account; resolves to its event. `agreedTo`: the terms to which the caller answered yes. */
  chargeAccount(account: KeyedAccount, agreedTo: AskLine): Promise<FlowEvent>;
  /** Has the pay link texted; resolves to `link` or `refused`. */
  sendLink(): Promise<FlowEvent>;
  /**
   * Claims the session of the merchant at this place. Passes `session_claimed` and what follows, or `session_not_claimed`,
   * to the conversation, and no key before that.
   */
  takeSession(place: number): Promise<void>;
  /** Returns the caller to the agent; resolves to `returned` or `return_failed`. */
  returnToAgent(outcome: CallOutcome): Promise<FlowEvent>;
  /** Says every line in this language from now on. */
  changeLanguage(to: CallLanguage): void;
  note(step: string): void;
  /** The sentence of {@link files} has ended or was stopped. For the call's record, like the next two. */
  sentenceEnded?(): void;
  /** The caller has pressed the first key of an answer that takes several. */
  answerStarted?(): void;
  /** The line asks again for a card number. @param digits how many the caller had keyed */
  numberIncomplete?(digits: number): void;
  /** The call has reached another stage. */
  stage(stage: CallStage): void;
  /** The line does something else, or asks again. For the integrator. */
  progress?(step: ProgressStep): void;
  /** The conversation has ended. Called at most once. `brokeOff`: before its end, unpaid. */
  ended(outcome: CallOutcome, brokeOff: boolean): void;
  /** The conversation cannot continue because of a bug. Called at most once, instead of {@link ended}. */
  failed(error: unknown): void;
}

/** How long a caller may put the line on hold before silence counts again. */
const HOLD_LIMIT_MS = 5 * 60_000;

export class Conversation {
  readonly #ports: ConversationPorts;
  #media: ConversationPorts['media'];
  #state: State;
  readonly #queue: FlowEvent[] = [];
  #stepping = false;
  #over = false;
  #charging = false;
  /** Counts `say` effects, so that the end of an older one is ignored. */
  #saying = 0;
  /** The line being spoken, until it ends or is stopped. */
  #line: Line | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Runs while the caller has the line on hold. */
  #holdTimer: NodeJS.Timeout | null = null;
  #wasSilentOnHold = false;

  /** @param start the state before the call is answered */
  constructor(start: State, ports: ConversationPorts) {
    this.#ports = ports;
    this.#media = ports.media;
    this.#state = start;
  }

  /** Whether a charge is in flight: its answer must be awaited. */
  get charging(): boolean {
    return this.#charging;
  }

  /** How far the call has come. */
  get stage(): CallStage {
    return stageOf(this.#state);
  }

  handleKey(key: Secret): void {
    if (this.#over) key.wipe();
    else this.handle({ type: 'key', key });
  }

  handle(event: FlowEvent): void {
    if (this.#over) return;
    this.#queue.push(event);
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined && !this.#over; next = this.#queue.shift()) {
        this.#step(next);
      }
    } catch (error) {
      this.close();
      this.#ports.failed(error);
    } finally {
      this.#stepping = false;
    }
  }

  /**
   * The caller has put the line on hold and can neither hear it nor press a key. Silence counts only after the hold, or
   * when the hold is too long.
   */
  hold(): void {
    if (this.#over || this.#holdTimer !== null) return;
    this.#ports.note('on hold');
    this.#holdTimer = setTimeout(() => this.#endHold(), HOLD_LIMIT_MS);
  }

  /** The caller is back: repeats what the line asked meanwhile. Ignored if there was no hold. */
  resume(): void {
    if (this.#holdTimer === null) return;
    this.#ports.note('back from hold');
    this.#endHold();
  }

  /** Uses another leg from the next sentence on. */
  useMedia(media: ConversationPorts['media']): void {
    this.#media = media;
  }

  /** Media failover: continues on another leg, and repeats the interrupted sentence. */
  switchMedia(media: ConversationPorts['media']): void {
    this.useMedia(media);
    if (!this.#over && this.#line !== null) this.#startSaying(this.#line);
  }

  /** Stops the conversation and wipes all keys. Idempotent. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#saying += 1;
    this.#stopTimer();
    if (this.#holdTimer !== null) clearTimeout(this.#holdTimer);
    wipeState(this.#state);
    for (const event of this.#queue.splice(0)) if (event.type === 'key') event.key.wipe();
  }

  #step(event: FlowEvent): void {
    const before = stageOf(this.#state);
    const keyed = keyedDigits(this.#state);
    const { state, effects } = step(this.#state, event);
    this.#state = state;
    if (stageOf(state) !== before) this.#ports.stage(stageOf(state));
    const progress = progressOf(state);
    if (progress !== null) this.#ports.progress?.(progress);
    for (const effect of effects) this.#perform(effect);
    if (effects.some(asksForWholeNumber)) this.#ports.numberIncomplete?.(keyed);
    if (keyed === 0 && keyedDigits(state) > 0) this.#ports.answerStarted?.();
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'say':
        this.#startSaying(effect.line);
        break;
      case 'stop_speaking':
        this.#saying += 1;
        this.#line = null;
        this.#ports.sentenceEnded?.();
        this.#media.stop();
        break;
      case 'change_language':
        this.#ports.changeLanguage(effect.to);
        break;
      case 'start_timer':
        this.#startTimer(effect.ms);
        break;
      case 'cancel_timer':
        this.#stopTimer();
        break;
      case 'charge':
        this.#charging = true;
        this.#watch(this.#charge(this.#ports.charge(effect.card, effect.agreedTo, effect)));
        break;
      case 'charge_saved':
        this.#charging = true;
        this.#watch(this.#charge(this.#ports.chargeSaved(effect.cardId, effect)));
        break;
      case 'charge_account':
        this.#charging = true;
        this.#watch(this.#charge(this.#ports.chargeAccount(effect.account, effect.agreedTo)));
        break;
      case 'send_link':
        this.#watch(this.#sendLink());
        break;
      case 'claim_session':
        this.#watch(this.#ports.takeSession(effect.place));
        break;
      case 'return':
        this.#watch(this.#ports.returnToAgent(effect.outcome).then((event) => this.handle(event)));
        break;
      case 'hang_up':
        this.close();
        this.#ports.ended(effect.outcome, effect.brokeOff === true);
        break;
      case 'note':
        this.#ports.note(effect.step);
        break;
    }
  }

  #startSaying(line: Line): void {
    this.#saying += 1;
    this.#line = line;
    this.#watch(this.#say(line, this.#saying));
  }

  async #say(line: Line, saying: number): Promise<void> {
    const files = await this.#ports.files(line);
    if (saying !== this.#saying) return;
    const result = await this.#media.play(files);
    if (saying !== this.#saying || result === 'stopped') return;
    this.#line = null;
    this.#ports.sentenceEnded?.();
    if (result === 'failed') this.#ports.notPlayed(line);
    // A sentence that cannot be played counts as spoken. Otherwise the conversation would stop.
    this.handle({ type: 'prompt_ended' });
  }

  async #charge(answer: Promise<FlowEvent>): Promise<void> {
    const event = await answer;
    this.#charging = false;
    this.handle(event);
  }

  async #sendLink(): Promise<void> {
    const event = await this.#ports.sendLink();
    // If the caller has keyed a card meanwhile, the answer to that charge says that the session has ended.
    if (event.type === 'link' || !this.#charging) this.handle(event);
  }

  /** Work outside of the steps: a failure ends the conversation. */
  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (this.#over) return;
      this.close();
      this.#ports.failed(error);
    });
  }

  #fellSilent(): void {
    if (this.#holdTimer === null) this.handle({ type: 'silence' });
    else this.#wasSilentOnHold = true;
  }

  #endHold(): void {
    if (this.#holdTimer !== null) clearTimeout(this.#holdTimer);
    this.#holdTimer = null;
    if (!this.#wasSilentOnHold) return;
    this.#wasSilentOnHold = false;
    this.handle({ type: 'silence' });
  }

  /**
   * If the process was blocked, unread keys may have arrived in time. Timers run before sockets, so this reads the
   * sockets first.
   */
  #startTimer(ms: number): void {
    this.#stopTimer();
    const isCurrent = () => this.#timer === timer;
    const timer = setTimeout(() => setImmediate(() => isCurrent() && this.#fellSilent()), ms);
    this.#timer = timer;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wasSilentOnHold = false;
  }
}

/** After a card number that was too short. */
const asksForWholeNumber = (effect: Effect): boolean =>
  effect.type === 'say' &&
  effect.line.name === 'ask' &&
  effect.line.field === 'card_number' &&
  effect.line.error === 'incomplete';

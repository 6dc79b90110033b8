/**
 * Runs the conversation's table on a leg: events in, one at a time; effects out. It knows nothing of SIP, and holds card
 * data only as long as the table's state does.
 */
import type { CallOutcome } from '../domain/outcome.ts';
import type { Secret } from '../domain/secret.ts';
import { type State, start, step, wipe } from '../flow/table.ts';
import type { AskLine, Effect, FlowEvent, KeyedCard, Line, Terms } from '../flow/types.ts';
import type { MediaLeg } from './ports.ts';

export interface Stage {
  media: Pick<MediaLeg, 'play' | 'stop'>;
  /** Paths of the audio of a line. */
  files(line: Line): Promise<readonly string[]>;
  /** Takes the payment; what it resolves to goes into the table. `agreedTo`: the card is to be kept, by this question. */
  charge(card: KeyedCard, agreedTo: AskLine | null): Promise<FlowEvent>;
  /** Takes the caller back to the agent. */
  takeBack(outcome: CallOutcome): Promise<FlowEvent>;
  note(step: string): void;
  /** The table's last word. Called once. */
  ended(outcome: CallOutcome): void;
  /** A bug or a broken contract: the conversation can't go on. Called at most once, instead of {@link ended}. */
  failed(error: unknown): void;
}

export class Conversation {
  readonly #stage: Stage;
  #media: Stage['media'];
  #state: State;
  readonly #queue: FlowEvent[] = [];
  #stepping = false;
  #over = false;
  #charging = false;
  /** The `say` under way; an older one has nothing to tell any more. */
  #saying = 0;
  /** Its sentence, until it was heard to its end or hushed. */
  #line: Line | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(terms: Terms, stage: Stage) {
    this.#stage = stage;
    this.#media = stage.media;
    this.#state = start(terms);
  }

  /** Whether a charge is on its way: its answer has to be waited for. */
  get charging(): boolean {
    return this.#charging;
  }

  key(key: Secret): void {
    if (this.#over) key.wipe();
    else this.tell({ type: 'key', key });
  }

  tell(event: FlowEvent): void {
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
      this.#stage.failed(error);
    } finally {
      this.#stepping = false;
    }
  }

  /** The caller hears us on another leg from now on: the sentence that broke off is said there again. */
  moveTo(media: Stage['media']): void {
    this.#media = media;
    if (!this.#over && this.#line !== null) this.#startSaying(this.#line);
  }

  /** Drops the conversation where it stands and wipes what was keyed. Idempotent. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#saying += 1;
    this.#stopTimer();
    wipe(this.#state);
    for (const event of this.#queue.splice(0)) if (event.type === 'key') event.key.wipe();
  }

  #step(event: FlowEvent): void {
    const { state, effects } = step(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'say':
        this.#startSaying(effect.line);
        break;
      case 'hush':
        this.#saying += 1;
        this.#line = null;
        this.#media.stop();
        break;
      case 'wait':
        this.#stopTimer();
        this.#timer = setTimeout(() => this.tell({ type: 'silence' }), effect.ms);
        break;
      case 'unwait':
        this.#stopTimer();
        break;
      case 'charge':
        this.#charging = true;
        this.#run(this.#charge(effect.card, effect.agreedTo));
        break;
      case 'return':
        this.#run(this.#stage.takeBack(effect.outcome).then((event) => this.tell(event)));
        break;
      case 'hang_up':
        this.close();
        this.#stage.ended(effect.outcome);
        break;
      case 'note':
        this.#stage.note(effect.step);
        break;
    }
  }

  #startSaying(line: Line): void {
    this.#saying += 1;
    this.#line = line;
    this.#run(this.#say(line, this.#saying));
  }

  async #say(line: Line, saying: number): Promise<void> {
    const files = await this.#stage.files(line);
    if (saying !== this.#saying) return;
    const result = await this.#media.play(files);
    if (saying !== this.#saying || result === 'stopped') return;
    this.#line = null;
    // A sentence that can't be played counts as spoken: the call must not stand still.
    this.tell({ type: 'spoken' });
  }

  async #charge(card: KeyedCard, agreedTo: AskLine | null): Promise<void> {
    const event = await this.#stage.charge(card, agreedTo);
    this.#charging = false;
    this.tell(event);
  }

  /** What runs beside the steps must not fail unheard. */
  #run(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (this.#over) return;
      this.close();
      this.#stage.failed(error);
    });
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

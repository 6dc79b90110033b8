import type { CallStage } from '../../src/domain/call.ts';
import type { InstrumentId } from '../../src/domain/ids.ts';
import type { CallOutcome } from '../../src/domain/outcome.ts';
import type { KeyedAccount, KeyedCard } from '../../src/flow/effects.ts';
import type { FlowEvent } from '../../src/flow/events.ts';
import type { Line } from '../../src/flow/lines.ts';
import type { ConversationPorts } from '../../src/phone/conversation.ts';
import { KeyBuffer } from '../../src/phone/key-buffer.ts';
import type { PlayResult } from '../../src/phone/ports.ts';

/** Ports in which the test ends every wait. */
export class StagedPorts implements ConversationPorts {
  readonly lines: Line[] = [];
  readonly notes: string[] = [];
  readonly stages: CallStage[] = [];
  readonly cards: KeyedCard[] = [];
  readonly accounts: KeyedAccount[] = [];
  readonly savedCards: InstrumentId[] = [];
  readonly returns: CallOutcome[] = [];
  readonly outcomes: CallOutcome[] = [];
  readonly failures: unknown[] = [];
  readonly unplayed: Line[] = [];
  stops = 0;
  #plays: ((result: PlayResult) => void)[] = [];
  #files: (() => void)[] = [];
  #charge: (event: FlowEvent) => void = () => undefined;
  #back: (event: FlowEvent) => void = () => undefined;
  linked: (event: FlowEvent) => void = () => undefined;
  slowFiles = false;
  readonly media = {
    play: () =>
      new Promise<PlayResult>((resolve) => {
        this.#plays.push(resolve);
      }),
    stop: () => {
      this.stops += 1;
      this.played('stopped');
    },
  };

  files(line: Line): Promise<readonly string[]> {
    this.lines.push(line);
    if (!this.slowFiles) return Promise.resolve(['/a.wav']);
    return new Promise((resolve) => {
      this.#files.push(() => resolve(['/a.wav']));
    });
  }
  notPlayed(line: Line): void {
    this.unplayed.push(line);
  }
  changeLanguage(): void {
    this.notes.push('language');
  }
  chargeSaved(cardId: InstrumentId): Promise<FlowEvent> {
    this.savedCards.push(cardId);
    return new Promise((resolve) => {
      this.#charge = resolve;
    });
  }
  chargeAccount(account: KeyedAccount): Promise<FlowEvent> {
    this.accounts.push(account);
    return new Promise((resolve) => {
      this.#charge = resolve;
    });
  }
  charge(card: KeyedCard): Promise<FlowEvent> {
    this.cards.push(card);
    return new Promise((resolve) => {
      this.#charge = resolve;
    });
  }
  sendLink(): Promise<FlowEvent> {
    return new Promise((resolve) => {
      this.linked = resolve;
    });
  }
  readonly places: number[] = [];
  taken: () => void = () => undefined;
  /** Between the legs and the conversation, as in a call. */
  readonly keys = new KeyBuffer(null);
  takeSession(place: number): Promise<void> {
    this.keys.hold();
    this.places.push(place);
    return new Promise((resolve) => {
      this.taken = resolve;
    });
  }
  returnToAgent(outcome: CallOutcome): Promise<FlowEvent> {
    this.returns.push(outcome);
    return new Promise((resolve) => {
      this.#back = resolve;
    });
  }
  note(step: string): void {
    this.notes.push(step);
  }
  stage(stage: CallStage): void {
    this.stages.push(stage);
  }
  ended(outcome: CallOutcome): void {
    this.outcomes.push(outcome);
  }
  failed(error: unknown): void {
    this.failures.push(error);
  }

  get playing(): number {
    return this.#plays.length;
  }
  played(result: PlayResult): void {
    this.#plays.shift()?.(result);
  }
  found(): void {
    this.#files.shift()?.();
  }
  charged(event: FlowEvent): void {
    this.#charge(event);
  }
  back(event: FlowEvent): void {
    this.#back(event);
  }
}

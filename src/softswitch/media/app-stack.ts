/**
 * What runs on a channel. As in FreeSWITCH, commands wait in a queue; an application that waits for something (playback, sleep) reads the queue
 * meanwhile, so a command sent during a playback runs inside it, and the playback stands still until that is done.
 */
import { randomUUID } from 'node:crypto';

/** One `execute`. */
export interface Command {
  app: string;
  data: string;
  /** Ends up as `Application-UUID`; random when absent. */
  uuid?: string | undefined;
}

/** Why a waiting application stops before its time. `transfer`: the channel goes elsewhere, a bridge included. */
export type Interruption = 'break' | 'hangup' | 'transfer';

/** The side of a running application that the application sees. */
export interface Frame {
  readonly app: string;
  readonly data: string;
  readonly uuid: string;
  /** Enters the application's waiting loop: queued commands run inside it from now on. Called at most once. */
  wait(loop: WaitLoop): void;
}

/** How an application that waits hears of what happens meanwhile. */
export interface WaitLoop {
  /** A command starts inside it. */
  suspend?(): void;
  /** All commands inside it are done. */
  resume?(): void;
  /** A key was pressed while this is the innermost loop. */
  digit?(key: string): void;
  /** Asked to end: true when it does (the application returns soon after), false when it ignores that. */
  interrupt(why: Interruption): boolean;
}

/** Starts an application; undefined: it was done at once. */
export type RunApp = (frame: Frame) => Promise<void> | undefined;

interface Running {
  command: Command;
  uuid: string;
  loop: WaitLoop | null;
  /** Asked to end, and not told so yet: it is not innermost, or has not begun to wait. */
  pending: Interruption | null;
  /** Told to end, and about to. */
  ending: boolean;
}

/** What the stack does to its channel: an application runs, its CHANNEL_EXECUTE events go out. */
export interface StackHooks {
  /** Runs the application; what it returns ends the frame. A rejection is a bug and is passed to `failed`. */
  run: RunApp;
  begin(frame: { app: string; data: string; uuid: string }): void;
  complete(frame: { app: string; data: string; uuid: string }): void;
  failed(error: unknown): void;
}

/** Commands that may wait on one channel. */
const MAX_QUEUED = 200;

/** The queue and the running applications of one channel, the innermost last. */
export class AppStack {
  readonly #hooks: StackHooks;
  readonly #queue: Command[] = [];
  readonly #running: Running[] = [];
  readonly #waiters: (() => void)[] = [];
  #closed = false;

  constructor(hooks: StackHooks) {
    this.#hooks = hooks;
  }

  /** @returns false when too many wait already, or the channel is gone */
  push(command: Command): boolean {
    if (this.#closed || this.#queue.length >= MAX_QUEUED) return false;
    this.#queue.push(command);
    this.#drain();
    return true;
  }

  /**
   * Ends everything that waits, one after the other from the innermost outwards; one that ignores it keeps those around it as well. What is still
   * queued runs afterwards, unless dropped.
   */
  interruptAll(why: Interruption, dropQueued = false): void {
    if (dropQueued) this.#queue.length = 0;
    for (const running of this.#running) running.pending = why;
    this.#interruptTop();
  }

  /** Starts nothing any more: the channel is going down. */
  close(): void {
    this.#closed = true;
    this.#queue.length = 0;
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.#running.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Hands a key to the innermost waiting application. */
  digit(key: string): void {
    this.#running.at(-1)?.loop?.digit?.(key);
  }

  #interruptTop(): void {
    const top = this.#running.at(-1);
    if (!top?.pending || !top.loop || top.ending) return;
    const why = top.pending;
    top.pending = null;
    // Before it is told: it may come back here at once.
    top.ending = true;
    if (top.loop.interrupt(why)) return;
    top.ending = false;
    for (const running of this.#running) running.pending = null;
  }

  #drain(): void {
    for (;;) {
      const top = this.#running.at(-1);
      if (this.#closed || (top && (!top.loop || top.ending || top.pending))) return;
      const command = this.#queue.shift();
      if (!command) return;
      top?.loop?.suspend?.();
      this.#start(command);
    }
  }

  #start(command: Command): void {
    const running: Running = {
      command,
      uuid: command.uuid ?? randomUUID(),
      loop: null,
      pending: null,
      ending: false,
    };
    this.#running.push(running);
    const frame: Frame = {
      app: command.app,
      data: command.data,
      uuid: running.uuid,
      wait: (loop) => this.#enter(running, loop),
    };
    this.#hooks.begin(frame);
    const done = this.#hooks.run(frame);
    if (!done) {
      this.#finish(running);
      return;
    }
    done.then(
      () => this.#finish(running),
      (error: unknown) => {
        this.#hooks.failed(error);
        this.#finish(running);
      },
    );
  }

  #enter(running: Running, loop: WaitLoop): void {
    running.loop = loop;
    this.#interruptTop();
    this.#drain();
  }

  /** Only the innermost one can end: those around it stand still meanwhile. */
  #finish({ command, uuid }: Running): void {
    this.#running.pop();
    this.#hooks.complete({ app: command.app, data: command.data, uuid });
    this.#interruptTop();
    const top = this.#running.at(-1);
    if (top && !top.ending && this.#queue.length === 0) top.loop?.resume?.();
    this.#drain();
    if (this.#running.length === 0) for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/**
 * The applications that run on a channel. As in FreeSWITCH, commands wait in a queue. An application that waits
 * (playback, sleep) reads the queue: a command sent during a playback runs inside it, and the playback pauses until the
 * command is done.
 */
import { randomUUID } from 'node:crypto';

/** One `execute` command. */
export interface Command {
  app: string;
  data: string;
  /** The value of `Application-UUID`; random if absent. */
  uuid?: string | undefined;
}

/** Why a waiting application is interrupted. `transfer`: the channel is transferred or bridged. */
export type Interruption = 'break' | 'hangup' | 'transfer';

/** What a running application can do. */
export interface Frame {
  readonly app: string;
  readonly data: string;
  readonly uuid: string;
  /** Enters the application's waiting loop: queued commands run inside it from now on. Called at most once. */
  wait(loop: WaitLoop): void;
}

/** Callbacks of an application that waits. */
export interface WaitLoop {
  /** A command starts inside it. */
  suspend?(): void;
  /** All commands inside it are done. */
  resume?(): void;
  /** A key was pressed while this is the innermost loop. */
  digit?(key: string): void;
  /** An interruption: true when the application ends (it returns soon after), false when it ignores it. */
  interrupt(why: Interruption): boolean;
}

/** Starts an application; undefined if it completed at once. */
type RunApp = (frame: Frame) => Promise<void> | undefined;

interface Running {
  command: Command;
  uuid: string;
  loop: WaitLoop | null;
  /** A pending interruption: the application is not the innermost, or is not waiting yet. */
  pending: Interruption | null;
  /** The application was interrupted and is about to end. */
  ending: boolean;
}

/** The interface of the channel to its stack: runs applications, fires their CHANNEL_EXECUTE events. */
interface StackHooks {
  /** Runs the application; its promise ends the frame. A rejection is a bug and is passed to `failed`. */
  run: RunApp;
  start(frame: { app: string; data: string; uuid: string }): void;
  complete(frame: { app: string; data: string; uuid: string }): void;
  failed(error: unknown): void;
}

/** Maximum number of commands that wait on one channel. */
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

  /** @returns false if too many commands are waiting, or the channel is gone */
  push(command: Command): boolean {
    if (this.#closed || this.#queue.length >= MAX_QUEUED) return false;
    this.#queue.push(command);
    this.#drain();
    return true;
  }

  /**
   * Interrupts all waiting applications, from the innermost outwards, up to one that ignores it. Queued commands run
   * afterwards, unless dropped.
   */
  interruptAll(why: Interruption, dropQueued = false): void {
    if (dropQueued) this.#queue.length = 0;
    for (const running of this.#running) running.pending = why;
    this.#interruptTop();
  }

  /** Stops starting commands, because the channel is hanging up. */
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
    // Before the callback, which may call this method again.
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
    this.#hooks.start(frame);
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

  /** Only the innermost application can end; the outer ones are paused. */
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

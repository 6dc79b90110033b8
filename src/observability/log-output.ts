/**
 * Where the log's lines go: gathered for a moment and written together, for one write a line costs a busy service more
 * than making the line does. None is lost when the process ends by itself, by a signal it hears, or by a fault; one that
 * is killed outright loses what it gathered in the last {@link GATHERED_MS}.
 */
import { writeSync } from 'node:fs';

export interface LogOutput {
  write(line: string): void;
  /** All that was gathered, before it returns; waits for a slow reader, but not for ever. Pino calls it after `fatal`. */
  flushSync(): void;
}

const STDOUT = 1;
const GATHERED_MS = 50;
/** Written as soon as so much is there: half of what a pipe holds. */
const GATHERED_BYTES = 32 * 1024;
/** A reader that falls behind further than this is waited for, as if each line were written at once. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;
const WAIT_MS = 5;
const MAX_WAITS = 400;

let opened: LogOutput | null = null;

/**
 * Standard output; its last lines are written when the process exits. All logs of a process have the same one, as the
 * process has but one: their lines keep their order, and the exit is listened for once.
 */
export function standardOutput(): LogOutput {
  if (opened !== null) return opened;
  const output = new GatheringOutput(STDOUT);
  process.on('exit', () => output.flushSync());
  opened = output;
  return output;
}

/** One descriptor's output; {@link standardOutput} is what the service writes to. */
export class GatheringOutput implements LogOutput {
  readonly #descriptor: number;
  #lines: string[] = [];
  #length = 0;
  /** What the descriptor did not take the last time. */
  #rest: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #readerIsGone = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#readerIsGone) return;
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= GATHERED_BYTES) this.#flush();
    if (this.#isEmpty()) return;
    this.#timer ??= setTimeout(() => this.#onTime(), GATHERED_MS).unref();
    if (this.#behind() > MAX_BEHIND_BYTES) this.flushSync();
  }

  flushSync(): void {
    this.#flush();
    for (let waits = 0; !this.#isEmpty() && waits < MAX_WAITS; waits += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      this.#flush();
    }
  }

  #onTime(): void {
    this.#timer = null;
    this.#flush();
    if (!this.#isEmpty()) this.#timer = setTimeout(() => this.#onTime(), GATHERED_MS).unref();
  }

  #isEmpty(): boolean {
    return this.#rest === null && this.#lines.length === 0;
  }

  #behind(): number {
    return this.#length + (this.#rest?.length ?? 0);
  }

  /** As much as the descriptor takes: a pipe that does not block (Node makes it so) may take a part, or nothing. */
  #flush(): void {
    if (this.#isEmpty()) return;
    const gathered = Buffer.from(this.#lines.join(''));
    let rest = this.#rest === null ? gathered : Buffer.concat([this.#rest, gathered]);
    this.#lines = [];
    this.#length = 0;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Nobody reads, or nobody can: no line of the log is worth the service.
      if (code !== 'EAGAIN') this.#readerIsGone = true;
    }
    this.#rest = rest.length === 0 || this.#readerIsGone ? null : rest;
  }
}

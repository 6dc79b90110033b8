/** One `playback` of files on a FreeSWITCH channel: its start, what silences it, and its end. */
import type { EslEvent } from 'drachtio-fsmrf';
import { type Deferred, deferred } from '../../lib/concurrency/deferred.ts';
import type { PlayResult } from '../ports.ts';

/** A break that arrives a moment before the playback starts has no effect, so it is sent again. */
const BREAK_AGAIN_MS = 100;
const MAX_BREAKS = 10;
/** For the reply to a pause, which takes a millisecond. */
const PAUSE_LIMIT_MS = 100;

/** Sends an api command to the media server. */
export type SendCommand = (name: string, args: readonly string[], replied?: (reply: EslEvent) => void) => void;

export class Playback {
  readonly #channelId: string;
  readonly #send: SendCommand;
  readonly #result: Deferred<PlayResult> = deferred();
  /** What became of it for its listener. */
  readonly result = this.#result.promise;
  readonly #ended = deferred<void>();
  /** The channel can play the next one. */
  readonly ended = this.#ended.promise;
  #isOver = false;
  #started = false;
  #wanted: 'sound' | 'pause' | 'break' = 'sound';
  #pauseSent = false;
  #breaks = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(channelId: string, send: SendCommand) {
    this.#channelId = channelId;
    this.#send = send;
  }

  /**
   * Silences it, and leaves the channel as it is: FreeSWITCH sends silence in place of the file, where a break makes it
   * throw away what waits of the caller's sound (AUDIO_SYNC at the end of an application in switch_ivr.c, 1.11.2).
   * {@link break} ends it.
   */
  pause(): void {
    if (this.#isOver || this.#wanted !== 'sound') return;
    this.#wanted = 'pause';
    this.#result.resolve('stopped');
    // Before the playback has started, neither has an effect.
    if (this.#started) this.#sendPause();
  }

  break(): void {
    if (this.#isOver || this.#wanted === 'break') return;
    this.#wanted = 'break';
    if (this.#started) this.#sendBreak();
  }

  /** FreeSWITCH says that a file begins: the first one, or the next of the list. */
  fileStarted(): void {
    this.#started = true;
    if (this.#wanted === 'sound') return;
    // Of a list, the file that was paused may have been at its end. A second pause would be the end of the first.
    if (this.#wanted === 'pause' && !this.#pauseSent) this.#sendPause();
    else {
      this.#wanted = 'break';
      this.#sendBreak();
    }
  }

  completed(event: EslEvent): void {
    const isCutOff = event.getHeader('Answer-State') === 'hangup';
    if (this.#wanted !== 'sound' || isCutOff) this.end('stopped');
    else this.end(event.getHeader('Application-Response') === 'FILE PLAYED' ? 'finished' : 'failed');
  }

  /** It is over, or given up. Idempotent. */
  end(result: PlayResult): void {
    this.#isOver = true;
    this.#stopTimer();
    this.#ended.resolve();
    this.#result.resolve(result);
  }

  #sendPause(): void {
    this.#pauseSent = true;
    // Where it cannot be paused, as between two files, it is broken off.
    this.#timer = setTimeout(() => this.break(), PAUSE_LIMIT_MS);
    this.#send('uuid_fileman', [this.#channelId, 'pause'], (reply) => {
      if (this.#wanted !== 'pause') return;
      this.#stopTimer();
      if (!reply.getBody().startsWith('+OK')) this.break();
    });
  }

  #sendBreak(): void {
    if (this.#isOver) return;
    this.#stopTimer();
    // It ends one file of a list, and is sent again for the next one.
    this.#send('uuid_break', [this.#channelId, 'all']);
    this.#breaks += 1;
    if (this.#breaks < MAX_BREAKS) this.#timer = setTimeout(() => this.#sendBreak(), BREAK_AGAIN_MS);
    else this.end('stopped');
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Longer than a hand takes from one key to the next. */
const TONE_GAP_MS = 400;
/** Of keys without an end. */
const TONE_LIMIT_MS = 5_000;

/**
 * Waits for a pause between keys that are tones. FreeSWITCH throws away what waits on the socket, or in its jitter
 * buffer, when a prompt begins (AUDIO_SYNC in switch_core_media.c, 1.11.2): in the middle of a tone that loses or
 * doubles a key. So who types ahead is let finish.
 */
export class TonePause {
  #beginsAtMs = Number.NEGATIVE_INFINITY;

  /** A tone began. */
  toneHeard(): void {
    this.#beginsAtMs = performance.now() + TONE_GAP_MS;
  }

  /** Resolves when no tone has begun for TONE_GAP_MS, or after TONE_LIMIT_MS. Null: there is nothing to wait for. */
  awaitPause(): Promise<void> | null {
    return performance.now() < this.#beginsAtMs ? this.#wait(performance.now() + TONE_LIMIT_MS) : null;
  }

  async #wait(deadlineMs: number): Promise<void> {
    for (;;) {
      const leftMs = Math.min(this.#beginsAtMs, deadlineMs) - performance.now();
      if (leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
  }
}

/** One `playback` of files on a FreeSWITCH channel: its start, what silences it, and its end. */
import type { EslEvent } from 'drachtio-fsmrf';
import { type Deferred, deferred } from '../../lib/concurrency/deferred.ts';
import type { PlayResult } from '../ports.ts';

/** A break that arrives just before the playback starts has no effect, so it is sent again. */
const BREAK_AGAIN_MS = 100;
const MAX_BREAKS = 10;
/** Limit for the reply to a pause, which takes a millisecond. */
const PAUSE_LIMIT_MS = 100;

/** Sends an api command to the media server. */
type SendCommand = (name: string, args: readonly string[], replied?: (reply: EslEvent) => void) => void;

export class Playback {
  readonly #channelId: string;
  readonly #send: SendCommand;
  readonly #result: Deferred<PlayResult> = deferred();
  /** The result for the listener. */
  readonly result = this.#result.promise;
  readonly #ended = deferred<void>();
  /** Resolves when the channel can play the next file. */
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
   * Silences the playback and leaves the channel unchanged: FreeSWITCH sends silence instead of the file. A break would
   * make it discard the caller's buffered sound (AUDIO_SYNC at the end of an application in switch_ivr.c, 1.11.2).
   * {@link break} ends the playback.
   */
  pause(): void {
    if (this.#isOver || this.#wanted !== 'sound') return;
    this.#wanted = 'pause';
    this.#result.resolve('stopped');
    // Before the playback has started, pause and break have no effect.
    if (this.#started) this.#sendPause();
  }

  break(): void {
    if (this.#isOver || this.#wanted === 'break') return;
    this.#wanted = 'break';
    if (this.#started) this.#sendBreak();
  }

  /** FreeSWITCH has started a file: the first one, or the next of the list. */
  fileStarted(): void {
    this.#started = true;
    if (this.#wanted === 'sound') return;
    // The paused file of a list may have been at its end. A second pause would end the first one.
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

  /** The playback has ended, or is given up. Idempotent. */
  end(result: PlayResult): void {
    this.#isOver = true;
    this.#stopTimer();
    this.#ended.resolve();
    this.#result.resolve(result);
  }

  #sendPause(): void {
    this.#pauseSent = true;
    // If it cannot be paused, as between two files, it is ended.
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
    // A break ends one file of a list, and is sent again for the next one.
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

/** Longer than the time between two key presses. */
const TONE_GAP_MS = 400;
/** Limit of waiting, for keys that never stop. */
const TONE_LIMIT_MS = 5_000;

/**
 * Waits for a pause between tones of the caller's keys. When a prompt starts, FreeSWITCH discards the sound in the
 * socket or in its jitter buffer (AUDIO_SYNC in switch_core_media.c, 1.11.2). During a tone, that loses or doubles a
 * key. So a caller who types ahead may finish first.
 */
export class TonePause {
  #beginsAtMs = Number.NEGATIVE_INFINITY;

  /** A tone has started. */
  toneStarted(): void {
    this.#beginsAtMs = performance.now() + TONE_GAP_MS;
  }

  /** Resolves when no tone has started for TONE_GAP_MS, or after TONE_LIMIT_MS. Null: there is nothing to wait for. */
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

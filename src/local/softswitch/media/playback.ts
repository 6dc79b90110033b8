/**
 * The `playback` application (switch_ivr_play_file): plays files in turn, stops at a key press, and fires the events of
 * each file.
 */
import { SAMPLES_PER_MS } from '../rtp/index.ts';
import type { Frame, Interruption } from './app-stack.ts';
import type { Channel } from './channel.ts';
import { type Playable, Player } from './playable.ts';

/** How a file ended. `missing`: the file does not exist; `gone`: the far end has hung up. */
type Outcome = 'done' | 'break' | 'timeout' | 'missing' | 'gone';

const RESPONSES: Record<Outcome, string> = {
  done: 'FILE PLAYED',
  break: 'FILE PLAYED',
  timeout: 'PLAYBACK ERROR',
  missing: 'FILE NOT FOUND',
  gone: 'PLAYBACK ERROR',
};

interface PlaybackDeps {
  resolve(path: string): Promise<Playable | null>;
}

/**
 * FreeSWITCH reads files in blocks of this many samples; `playback_samples` and `playback_ms` count the samples read.
 */
const READ_BLOCK_SAMPLES = 16_384;
/** Silence between the files of a list, unless `playback_sleep_val` is set. */
const DEFAULT_PAUSE_MS = 250;

/** Resolves when all files are played or the playback is stopped; the result is in `current_application_response`. */
export async function playback(channel: Channel, frame: Frame, deps: PlaybackDeps): Promise<void> {
  const run = new Playback(channel, deps);
  const outcome = await run.playAll(frame);
  channel.variables.set('current_application_response', RESPONSES[outcome]);
}

class Playback {
  readonly #channel: Channel;
  readonly #deps: PlaybackDeps;
  #player: Player | null = null;
  #stopCurrent: ((outcome: Outcome) => void) | null = null;
  #stopped: Outcome | null = null;
  #suspended = false;
  #paused = false;
  #entered = false;
  #pausing = false;
  #filesLeft = 0;

  constructor(channel: Channel, deps: PlaybackDeps) {
    this.#channel = channel;
    this.#deps = deps;
  }

  async playAll(frame: Frame): Promise<Outcome> {
    const { variables } = this.#channel;
    variables.set('playback_terminator_used', undefined);
    const [list, skipSamples] = splitOffset(frame.data);
    const delimiter = variables.get('playback_delimiter')?.charAt(0);
    const files = delimiter ? list.split(delimiter).filter(Boolean) : [list];
    let outcome: Outcome = 'missing';
    for (const [index, file] of files.entries()) {
      this.#filesLeft = files.length - 1 - index;
      if (index > 0) await this.#pause(variables.integer('playback_sleep_val') ?? DEFAULT_PAUSE_MS);
      if (this.#stopped) break;
      const playable = await this.#deps.resolve(file);
      outcome = playable ? await this.#playOne(frame, playable, index === 0 ? skipSamples : 0) : 'missing';
      if (outcome === 'timeout') break;
    }
    return this.#stopped ?? outcome;
  }

  /** `uuid_fileman <uuid> pause`: silence until the next `pause` or the end of the file. */
  togglePause(): void {
    this.#paused = !this.#paused;
    this.#playOn();
  }

  /** Other commands run inside the playback from its first sound on, but not while the file is being read. */
  #enter(frame: Frame): void {
    if (this.#entered) return;
    this.#entered = true;
    frame.wait({
      suspend: () => this.#suspend(),
      resume: () => this.#resume(),
      digit: (key) => this.#key(key),
      interrupt: (why) => this.#interrupt(why),
    });
  }

  async #playOne(frame: Frame, playable: Playable, skipSamples: number): Promise<Outcome> {
    const { variables } = this.#channel;
    this.#channel.file = this;
    this.#channel.fire('PLAYBACK_START', 'switch_ivr_play_file', fileHeaders(playable.path));
    this.#enter(frame);
    const outcome = await this.#sound(playable, skipSamples);
    this.#channel.file = null;
    this.#paused = false;
    const position = skipSamples + (this.#player?.played ?? 0);
    const total = playable.segments.reduce((sum, { samples }) => sum + samples, 0) * Math.min(playable.loops, 1e6);
    const read = Math.min(total, Math.ceil(position / READ_BLOCK_SAMPLES) * READ_BLOCK_SAMPLES);
    variables.setAll({
      playback_last_offset_pos: position,
      playback_seconds: Math.floor(read / 8000),
      playback_ms: Math.floor(read / SAMPLES_PER_MS),
      playback_samples: read,
    });
    const status: [string, string] = ['Playback-Status', outcome === 'break' ? 'break' : 'done'];
    this.#channel.fire('PLAYBACK_STOP', 'switch_ivr_play_file', [...fileHeaders(playable.path), status]);
    this.#player = null;
    return outcome;
  }

  /** Puts the sound on the channel until it ends, is stopped, or `playback_timeout_sec` is over. */
  #sound(playable: Playable, skipSamples: number): Promise<Outcome> {
    if (this.#stopped) return Promise.resolve(this.#stopped);
    const { variables } = this.#channel;
    const limitSec = variables.integer('playback_timeout_sec') ?? 0;
    // A limit of one second is no limit (`tmp > 1` in FreeSWITCH).
    const limitSamples = limitSec > 1 ? limitSec * 1000 * SAMPLES_PER_MS : Infinity;
    const timedOut: Outcome = variables.isTrue('playback_timeout_as_success') ? 'done' : 'timeout';
    return new Promise((resolve) => {
      this.#stopCurrent = (outcome) => {
        this.#stopCurrent = null;
        this.#channel.play(null);
        resolve(outcome);
      };
      const ended = (): void => this.#stopCurrent?.(player.cutShort ? timedOut : 'done');
      const player = new Player(playable, ended, skipSamples, limitSamples);
      this.#player = player;
      this.#playOn();
    });
  }

  /** Silence between two files, counted by the media clock so that commands and breaks work during it. */
  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#stopped) return;
    this.#pausing = true;
    await this.#sound({ path: '', segments: [{ clip: null, samples: ms * SAMPLES_PER_MS }], loops: 1 }, 0);
    this.#pausing = false;
    this.#player = null;
  }

  #key(key: string): void {
    const { variables } = this.#channel;
    const terminators = variables.get('playback_terminators')?.toLowerCase() ?? '*';
    const keys = { any: '1234567890*#', none: '' }[terminators] ?? terminators;
    if (!keys.includes(key.toLowerCase())) return;
    variables.set('playback_terminator_used', key);
    this.#stop('break');
  }

  /**
   * `uuid_break` ends only the playing file, or all files if it comes between two of them. The same goes for
   * `uuid_break … all`, because an application sent over a socket counts as a broadcast (break_function in
   * mod_commands.c, 1.11.2).
   */
  #interrupt(why: Interruption): boolean {
    if (why === 'break' && this.#filesLeft > 0 && this.#player && !this.#pausing) {
      this.#stopCurrent?.('break');
      return false;
    }
    this.#stop(why === 'break' ? 'break' : this.#channel.hungUpBy === 'remote' ? 'gone' : 'done');
    return true;
  }

  #stop(outcome: Outcome): void {
    this.#stopped ??= outcome;
    this.#stopCurrent?.(outcome);
  }

  #suspend(): void {
    this.#suspended = true;
    this.#channel.play(null);
  }

  #resume(): void {
    this.#suspended = false;
    this.#playOn();
  }

  /** Plays the file on the channel, or silence while it is paused. */
  #playOn(): void {
    if (this.#suspended || !this.#player || !this.#stopCurrent) return;
    this.#channel.play(this.#paused ? null : this.#player);
  }
}

function fileHeaders(path: string): [string, string][] {
  const type = /^(local_stream|tone_stream):/.exec(path)?.[1];
  return [...(type ? [['Playback-File-Type', type] as [string, string]] : []), ['Playback-File-Path', path]];
}

/** `file@@samples`: the sample to start at. */
function splitOffset(data: string): [string, number] {
  const match = /^(.*?)@@(\d+)$/s.exec(data);
  return match ? [match[1] as string, Number(match[2])] : [data, 0];
}

/** State shared by the parts of the media server: channels, events, media clock, sound cache. Opens no sockets. */
import { performance } from 'node:perf_hooks';
import { ClipCache, MediaClock } from '../rtp/index.ts';
import type { Channel } from './channel.ts';
import { ENGINE_VERSION, EventBus, EventFactory } from './event.ts';
import { type Playable, resolvePlayable } from './playable.ts';

/** FreeSWITCH's log levels by number. FreeSWITCH logs a caller's digits from INFO on. */
export const LOG_LEVELS = ['CONSOLE', 'ALERT', 'CRIT', 'ERR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'] as const;
const WARNING = 4;

interface EngineOptions {
  /** The server's address in events. */
  address: string;
  maxSessions: number;
  /** Folder of the sound files with relative names. */
  soundPrefix: string;
  /** Receives unexpected errors, which are bugs. */
  failed(error: unknown): void;
}

const HEARTBEAT_INTERVAL_MS = 20_000;
const MEDIA_CHECK_INTERVAL_MS = 250;
const CLOSE_LIMIT_MS = 1000;

export class Engine {
  readonly bus = new EventBus();
  readonly events: EventFactory;
  readonly clock = new MediaClock();
  readonly clips = new ClipCache();
  readonly channels = new Map<string, Channel>();
  /** Global variables; an app registers its address in them. */
  readonly globals = new Map<string, string>();
  readonly options: EngineOptions;
  readonly startedAtMs = Date.now();
  logLevel = WARNING;
  /** Sessions since the start, and the maximum at once. */
  sessionCount = 0;
  peakSessions = 0;
  /** `mod_sofia@address:port` of the profile; set when the SIP side has started. */
  sipAddress = '';
  readonly #timers: NodeJS.Timeout[];
  readonly #deadlines = new Map<Channel, number>();
  #checkedAtMs = performance.now();
  #awakeSinceMs = performance.now();

  constructor(options: EngineOptions) {
    this.options = options;
    this.events = new EventFactory(options.address);
    this.#timers = [
      setInterval(() => this.#heartbeat(), HEARTBEAT_INTERVAL_MS),
      setInterval(() => this.#checkMedia(), MEDIA_CHECK_INTERVAL_MS),
    ];
  }

  add(channel: Channel): void {
    this.channels.set(channel.uuid, channel);
    this.sessionCount++;
    this.peakSessions = Math.max(this.peakSessions, this.channels.size);
  }

  remove(channel: Channel): void {
    this.channels.delete(channel.uuid);
    this.#deadlines.delete(channel);
  }

  /** Hangs up with MEDIA_TIMEOUT after `ms` without packets from the peer; 0: never. */
  limitSilence(channel: Channel, ms: number): void {
    if (ms > 0) this.#deadlines.set(channel, ms);
    else this.#deadlines.delete(channel);
  }

  resolve(path: string): Promise<Playable | null> {
    return resolvePlayable(path, this.clips, this.options.soundPrefix);
  }

  /** Hangs up all channels and waits until they are gone. Idempotent. */
  async close(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    const left = [...this.channels.values()];
    const gone = left.map((channel) => new Promise<void>((resolve) => channel.onGone(resolve)));
    for (const channel of left) channel.hangup('SYSTEM_SHUTDOWN');
    await within(CLOSE_LIMIT_MS, Promise.all(gone));
    for (const channel of left) channel.stream?.close();
  }

  #checkMedia(): void {
    const nowMs = performance.now();
    // After a stall of this process, packets that arrived during it are still unread: the peers were not silent.
    if (nowMs - this.#checkedAtMs > 2 * MEDIA_CHECK_INTERVAL_MS) this.#awakeSinceMs = nowMs;
    this.#checkedAtMs = nowMs;
    for (const [channel, limitMs] of [...this.#deadlines]) {
      if (channel.stream === null) continue;
      const quietSinceMs = Math.max(channel.stream.lastPacketAtMs, this.#awakeSinceMs);
      if (nowMs - quietSinceMs > limitMs) channel.hangup('MEDIA_TIMEOUT');
    }
  }

  #heartbeat(): void {
    const upMs = Date.now() - this.startedAtMs;
    this.bus.fire(
      this.events.create('HEARTBEAT', 'send_heartbeat', [
        ['Event-Info', 'System Ready'],
        ['Up-Time', uptime(upMs)],
        ['FreeSWITCH-Version', ENGINE_VERSION],
        ['Uptime-msec', String(upMs)],
        ['Session-Count', String(this.channels.size)],
        ['Max-Sessions', String(this.options.maxSessions)],
        ['Session-Per-Sec', '30'],
        ['Session-Since-Startup', String(this.sessionCount)],
        ['Session-Peak-Max', String(this.peakSessions)],
        ['Idle-CPU', '100.000000'],
      ]),
    );
  }
}

/** A duration in FreeSWITCH's format, without microseconds. */
export function uptime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 31_536_000), 'year'],
    [Math.floor(seconds / 86_400) % 365, 'day'],
    [Math.floor(seconds / 3600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
    [ms % 1000, 'millisecond'],
  ];
  return parts.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ');
}

/** Waits for the promise, but no longer than `limitMs`. */
export async function within(limitMs: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}

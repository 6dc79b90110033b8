/** The dialplan applications (mod_dptools). As in FreeSWITCH, an unknown application hangs the channel up. */
import { DTMF_KEYS, SAMPLES_PER_MS } from '../rtp/index.ts';
import type { Frame, Interruption } from './app-stack.ts';
import { causeNamed } from './causes.ts';
import type { Channel } from './channel.ts';
import { collectDigits } from './collect.ts';
import type { Engine } from './engine.ts';
import { receptionVariables } from './leg-variables.ts';
import { Player } from './playable.ts';
import { playback } from './playback.ts';

type Application = (channel: Channel, frame: Frame, engine: Engine) => Promise<void> | undefined;

/** Runs the application that `frame` names. */
export function runApplication(engine: Engine, channel: Channel, frame: Frame): Promise<void> | undefined {
  return APPLICATIONS[frame.app]?.(channel, frame, engine);
}

/** Whether {@link runApplication} knows the application. */
export function isApplication(name: string): boolean {
  return Object.hasOwn(APPLICATIONS, name);
}

const nothing: Application = () => undefined;

const APPLICATIONS: Record<string, Application> = {
  answer: (channel) => {
    channel.answered();
    return undefined;
  },
  pre_answer: nothing,
  ring_ready: nothing,
  spandsp_start_dtmf: (channel) => detectTones(channel),
  spandsp_stop_dtmf: (channel) => ignoreTones(channel),
  start_dtmf: (channel) => detectTones(channel),
  stop_dtmf: (channel) => ignoreTones(channel),
  log: nothing,
  info: nothing,
  verbose_events: nothing,
  playback: (channel, frame, engine) => playback(channel, frame, { resolve: (path) => engine.resolve(path) }),
  play_and_get_digits: (channel, frame, engine) =>
    collectDigits(channel, frame, { resolve: (path) => engine.resolve(path) }),
  set: (channel, frame) => setVariable(channel, frame.data),
  unset: (channel, frame) => setVariable(channel, frame.data.trim()),
  multiset: (channel, frame) => setMany(channel, frame.data, setVariable),
  multiunset: (channel, frame) => setMany(channel, frame.data, setVariable),
  export: (channel, frame) => exportVariable(channel, frame.data),
  park: (_channel, frame) => waitFor(frame, ['hangup', 'transfer']),
  socket: (_channel, frame) => waitFor(frame, ['hangup', 'transfer']),
  sleep: (channel, frame) => sleep(channel, frame),
  hangup: (channel, frame) => {
    channel.hangup(causeNamed(frame.data));
    return undefined;
  },
  set_media_stats: (channel) => {
    channel.variables.setAll(receptionVariables(channel.stream));
    return undefined;
  },
  set_mute: (channel, frame) => setMute(channel, frame.data),
  send_dtmf: (channel, frame) => {
    sendDigits(channel, frame.data);
    return undefined;
  },
};

function detectTones(channel: Channel): undefined {
  channel.detectTones();
}

function ignoreTones(channel: Channel): undefined {
  channel.tones = null;
}

/** `name=value`; an empty value or `_undef_` removes the variable. */
function setVariable(channel: Channel, assignment: string): undefined {
  const equals = assignment.indexOf('=');
  const name = (equals < 0 ? assignment : assignment.slice(0, equals)).trim();
  const value = equals < 0 ? '' : assignment.slice(equals + 1);
  if (name) channel.variables.set(name, value === '_undef_' ? undefined : value);
}

/** A list of assignments separated by spaces, or by the character after a leading `^^`. */
function setMany(channel: Channel, data: string, apply: (channel: Channel, item: string) => void): undefined {
  const custom = data.startsWith('^^');
  const items = custom ? data.slice(3).split(data.charAt(2)) : data.split(' ');
  for (const item of items.filter(Boolean)) apply(channel, item);
}

function exportVariable(channel: Channel, data: string): undefined {
  const assignment = data.replace(/^nolocal:/, '');
  if (assignment === data) setVariable(channel, assignment);
  const name = assignment.split('=')[0]?.trim() ?? '';
  const known = channel.variables.get('export_vars')?.split(',') ?? [];
  if (name && !known.includes(name)) channel.variables.set('export_vars', [...known, name].join(','));
}

/** Waits for one of the interruptions in `ends`; ignores others. */
function waitFor(frame: Frame, ends: Interruption[]): Promise<void> {
  return new Promise((resolve) => {
    frame.wait({
      interrupt: (why) => {
        if (!ends.includes(why)) return false;
        resolve();
        return true;
      },
    });
  });
}

/** Silence on the media clock. Commands sent during it run inside it and prolong it. */
function sleep(channel: Channel, frame: Frame): Promise<void> | undefined {
  const ms = Number.parseInt(frame.data, 10);
  if (Number.isNaN(ms) || ms <= 0) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      channel.play(null);
      resolve();
    };
    const player = new Player({ path: '', segments: [{ clip: null, samples: ms * SAMPLES_PER_MS }], loops: 1 }, done);
    channel.play(player);
    frame.wait({
      suspend: () => channel.play(null),
      resume: () => channel.play(player),
      interrupt: () => {
        done();
        return true;
      },
    });
  });
}

/** `read|write|both true|false`. */
function setMute(channel: Channel, data: string): undefined {
  const [side = '', value = ''] = data.split(' ');
  if (side === 'read' || side === 'both')
    channel.muted = ['true', 'on', '1', 'yes'].includes(value.toLowerCase()) || Number(value) > 0;
}

/** `digits[@milliseconds]`. @returns false if there are no digits or no way to send them */
export function sendDigits(channel: Channel, data: string): boolean {
  const [digits = '', tone] = data.split('@');
  const keys = [...digits.toUpperCase()].filter((key) => DTMF_KEYS.includes(key)).join('');
  if (!keys || !channel.stream) return false;
  const toneMs = Number(tone) > 0 ? Number(tone) : DEFAULT_TONE_MS;
  try {
    void channel.stream.sendDigits(keys, { toneMs, gapMs: SEND_GAP_MS });
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return true;
}

/** FreeSWITCH's default duration: 2,000 samples. */
const DEFAULT_TONE_MS = 250;
const SEND_GAP_MS = 60;

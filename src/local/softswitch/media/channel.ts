/** One channel (call leg) of the media server: its variables, applications, RTP stream and events. */
import { randomUUID } from 'node:crypto';
import { type AudioSource, type Codec, type Digit, type RtpStream, ToneReceiver } from '../rtp/index.ts';
import { AppStack, type Command, type Frame, type Interruption } from './app-stack.ts';
import { CALL_STATE_NUMBER, type ChannelFacts, channelHeaders, profileHeaders } from './channel-headers.ts';
import type { EventBus, EventFactory, HeaderValue, SwitchEvent } from './event.ts';
import { Variables } from './variables.ts';

/** The values of switch_channel_callstate_t that a leg can have here. */
export type CallState = 'DOWN' | 'RINGING' | 'ACTIVE' | 'HELD' | 'UNHELD' | 'HANGUP';

/** Unix times in milliseconds; 0 until it happens. */
export interface ChannelTimes {
  createdMs: number;
  answeredMs: number;
  bridgedMs: number;
  hangupMs: number;
}

/** The source of a digit, as in the DTMF event. */
type DigitSource = 'RTP' | 'INBAND_AUDIO' | 'ENDPOINT' | 'APP';

interface ChannelDeps {
  bus: EventBus;
  events: EventFactory;
  /** Runs a known application, which ends when the promise settles. */
  run(channel: Channel, frame: Frame): Promise<void> | undefined;
  /** Ends the dialog on the signalling side of the leg. Called once, unless the peer has ended it. */
  bye(cause: string): void;
  /** The leg is gone and all its events have been fired. */
  gone(channel: Channel): void;
  failed(error: unknown): void;
}

/** The leg's identity in its events. `destination` is the user part that was dialed. */
interface ChannelIdentity {
  name: string;
  networkAddress: string;
  destination: string;
}

/** Bounds of switch_core_min/max_dtmf_duration, in samples. */
const MIN_DIGIT_SAMPLES = 400;
const MAX_DIGIT_SAMPLES = 192_000;

export class Channel {
  readonly uuid = randomUUID();
  readonly variables = new Variables();
  readonly times: ChannelTimes = { createdMs: Date.now(), answeredMs: 0, bridgedMs: 0, hangupMs: 0 };
  readonly stack: AppStack;
  codec: Codec = 'PCMU';
  stream: RtpStream | null = null;
  state = 'CS_EXECUTE';
  callState: CallState = 'RINGING';
  hangupCause: string | null = null;
  hungUpBy: 'local' | 'remote' | null = null;
  /** The other leg while bridged. */
  partner: Channel | null = null;
  /** Whether it is the first leg of `uuid_bridge`. */
  originator = false;
  dialplan = 'XML';
  transferSource: string | null = null;
  profileIndex = 1;
  muted = false;
  /** Set while the sound is searched for keys. */
  tones: ToneReceiver | null = null;
  /** The file that is playing, for `uuid_fileman`. */
  file: { togglePause(): void } | null = null;
  readonly #deps: ChannelDeps;
  readonly #identity: ChannelIdentity;
  readonly #downListeners: (() => void)[] = [];
  /** The audio when no file is playing: the other leg, or silence. */
  #background: AudioSource | null = null;
  #playing = false;

  constructor(deps: ChannelDeps, identity: ChannelIdentity) {
    this.#deps = deps;
    this.#identity = identity;
    this.stack = new AppStack({
      run: (frame) => deps.run(this, frame),
      start: (frame) => this.#start(frame),
      complete: (frame) => this.#complete(frame),
      failed: deps.failed,
    });
  }

  /** False after the hang-up. */
  get up(): boolean {
    return this.hangupCause === null;
  }

  get facts(): ChannelFacts {
    const answered = this.times.answeredMs > 0 ? 'answered' : 'ringing';
    return { ...this.#identity, ...this.#state(), answerState: this.up ? answered : 'hangup' };
  }

  #state(): Omit<ChannelFacts, 'name' | 'networkAddress' | 'destination' | 'answerState'> {
    const { uuid, state, callState, hangupCause, codec, dialplan, times, profileIndex, transferSource } = this;
    return { uuid, state, callState, hangupCause, codec, dialplan, times, profileIndex, transferSource };
  }

  /** The leg has answered: fires the events that the library and operators wait for. */
  answered(): void {
    if (this.times.answeredMs > 0) return;
    this.times.answeredMs = Date.now();
    this.fire('CHANNEL_ANSWER', 'switch_channel_perform_mark_answered');
    this.setCallState('ACTIVE');
  }

  setCallState(callState: CallState): void {
    const original: [string, string][] = [
      ['Original-Channel-Call-State', this.callState],
      ['Channel-Call-State-Number', CALL_STATE_NUMBER[callState]],
    ];
    this.callState = callState;
    const headers = [...original, ...this.#headers()];
    this.#deps.bus.fire(this.#deps.events.create('CHANNEL_CALLSTATE', 'switch_channel_perform_set_callstate', headers));
  }

  /** The peer put the call on hold, or took it off. */
  hold(held: boolean): void {
    if (held === (this.callState === 'HELD')) return;
    this.setCallState(held ? 'HELD' : 'UNHELD');
    if (!held) this.setCallState('ACTIVE');
    this.fire(held ? 'CHANNEL_HOLD' : 'CHANNEL_UNHOLD', 'sofia_handle_sip_i_state');
  }

  /** Fires an event with the channel's headers and variables. */
  fire(name: string, source: string, extra: Iterable<[string, HeaderValue]> = []): void {
    this.#deps.bus.fire(this.#deps.events.create(name, source, [...this.#described(), ...extra]));
  }

  /** The channel in full, as `connect` answers it (with `profile`) and `uuid_dump` does. */
  snapshot(source: string, profile: boolean): SwitchEvent {
    const head = profile ? profileHeaders('Channel', this.facts) : [];
    return this.#deps.events.create('CHANNEL_DATA', source, [...head, ...this.#described()]);
  }

  #headers(): [string, string][] {
    const own = channelHeaders(this.facts);
    if (!this.partner) return own;
    const type: [string, string] = ['Other-Type', this.originator ? 'originatee' : 'originator'];
    return [...own, type, ...profileHeaders('Other-Leg', this.partner.facts)];
  }

  #described(): [string, string][] {
    const variables = [...this.variables].map(([name, value]): [string, string] => [`variable_${name}`, value]);
    return [...this.#headers(), ...variables];
  }

  execute(command: Command): boolean {
    return this.stack.push(command);
  }

  /** A key press of the far end: fires an event (unless `sensitive_dtmf`), then goes to the waiting application. */
  digit(digit: Digit, source: DigitSource): void {
    if (!this.up) return;
    const samples = Math.min(MAX_DIGIT_SAMPLES, Math.max(MIN_DIGIT_SAMPLES, digit.durationSamples));
    if (!this.variables.isTrue('sensitive_dtmf')) {
      const headers: [string, string][] = [
        ['DTMF-Digit', digit.key],
        ['DTMF-Duration', String(samples)],
        ['DTMF-Source', source],
      ];
      const event = this.#deps.events.create('DTMF', 'switch_channel_dequeue_dtmf', [...this.#headers(), ...headers]);
      this.#deps.bus.fire(event);
    }
    this.stack.digit(digit.key);
    // Digits cross a bridge only if that is allowed: by default the other leg does not receive what the caller keys.
    if (this.partner && !this.variables.isTrue('bridge_filter_dtmf')) void this.partner.stream?.sendDigits(digit.key);
  }

  /** Starts to search the far end's sound for keys, as mod_spandsp does. Idempotent. */
  detectTones(): void {
    this.tones ??= new ToneReceiver((digit) => this.digit(digit, 'INBAND_AUDIO'));
  }

  /** Plays a source instead of the background audio; null returns to the background. */
  play(source: AudioSource | null): void {
    this.#playing = source !== null;
    this.stream?.play(source ?? this.#background);
  }

  setBackground(source: AudioSource | null): void {
    this.#background = source;
    if (!this.#playing) this.stream?.play(source);
  }

  /** Interrupts the applications that wait on the channel (`uuid_break`, a transfer). */
  interrupt(why: Interruption, dropQueued = false): void {
    this.stack.interruptAll(why, dropQueued);
  }

  /** Calls `listener` once, when the leg is gone; immediately if it already is. */
  onGone(listener: () => void): void {
    if (this.callState === 'HANGUP') listener();
    else this.#downListeners.push(listener);
  }

  /**
   * Hangs up; the first call decides the cause.
   * @param by `remote`: the peer sent the BYE, so none is sent back
   */
  hangup(cause: string, by: 'local' | 'remote' = 'local'): void {
    if (!this.up) return;
    this.hangupCause = cause;
    this.hungUpBy = by;
    this.times.hangupMs = Date.now();
    this.stack.close();
    this.fire('CHANNEL_HANGUP', 'switch_channel_perform_hangup');
    if (by === 'local') this.#deps.bye(cause);
    // The `hangup` application completes before the application that it runs inside.
    setImmediate(() => {
      this.stack.interruptAll('hangup');
      this.stack.idle().then(() => this.#gone(), this.#deps.failed);
    });
  }

  #gone(): void {
    this.stream?.close();
    this.state = 'CS_HANGUP';
    this.setCallState('HANGUP');
    this.state = 'CS_REPORTING';
    this.variables.set('hangup_cause', this.hangupCause ?? undefined);
    this.fire('CHANNEL_HANGUP_COMPLETE', 'switch_core_session_reporting_state');
    this.fire('CHANNEL_DESTROY', 'switch_core_session_perform_destroy');
    this.#deps.gone(this);
    for (const listener of this.#downListeners.splice(0)) listener();
  }

  #start(frame: { app: string; data: string; uuid: string }): void {
    this.variables.setAll({ current_loop: 1, total_loops: 1, current_application: frame.app });
    this.variables.set('current_application_data', frame.data);
    this.variables.set('current_application_response', undefined);
    this.fire('CHANNEL_EXECUTE', 'switch_core_session_exec', applicationHeaders(frame));
  }

  #complete(frame: { app: string; data: string; uuid: string }): void {
    const response = this.variables.get('current_application_response') ?? '_none_';
    this.fire('CHANNEL_EXECUTE_COMPLETE', 'switch_core_session_exec', applicationHeaders(frame, response));
  }
}

function applicationHeaders(frame: { app: string; data: string; uuid: string }, response?: string): [string, string][] {
  const headers: [string, string][] = [['Application', frame.app]];
  if (frame.data) headers.push(['Application-Data', frame.data]);
  if (response !== undefined) headers.push(['Application-Response', response]);
  headers.push(['Application-UUID', frame.uuid]);
  return headers;
}

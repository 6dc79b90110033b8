/** The media of one leg on a FreeSWITCH channel, which drachtio-fsmrf calls an endpoint. */
import type { Endpoint, EndpointDialog, EslEvent } from 'drachtio-fsmrf';
import type { SoundQuality } from '../../domain/call.ts';
import { Secret } from '../../domain/secret.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import { endsWithin, waitAtMost } from '../../lib/concurrency/time-limit.ts';
import type { KeyKind, KeySink, MediaLeg, PlayResult } from '../ports.ts';
import { reinvite } from '../reinvite.ts';
import { Playback, TonePause } from './playback.ts';
import { soundQuality } from './sound-quality.ts';

type LossCause = 'media_timeout' | 'engine_lost' | 'destroyed';

const HANGUP_LIMIT_MS = 2_000;
/** Limit for the event with the sound statistics, after the BYE. */
const STATS_LIMIT_MS = 500;
/** Limit for the count of telephone-events, which takes a millisecond. */
const COUNT_LIMIT_MS = 500;
const NEGOTIATE_LIMIT_MS = 4_000;
/** How long to wait after a BYE for the hangup's reason, which comes by the event socket and may be slower. */
const REASON_LIMIT_MS = 300;
/** Separates the files of a list. `file_string://` would need none, but starts a quarter of a second late. */
const DELIMITER = '!';
/** By `DTMF-Source` (switch_channel.c). `ENDPOINT` is a SIP INFO, `APP` an operator's command. */
const KEY_KINDS: Readonly<Record<string, KeyKind>> = { INBAND_AUDIO: 'sound', ENDPOINT: 'sip_info' };
/**
 * mod_spandsp takes a tone with a gap of 25 ms for two. ITU-T Q.24 allows gaps up to 10 ms in a tone, and no caller
 * releases a key that briefly.
 */
const TONE_GAP_MS = 30;
/** North American ringback tone for 54 s. */
const RINGING = 'tone_stream://%(2000,4000,440,480);loops=9';

interface EndpointOptions {
  onKey: KeySink | null;
  /** Returns the part of their SDP for the media server. @throws if RINGKEY_SRTP forbids the SDP */
  acceptedSdp: (remoteSdp: string) => string;
  /** Our SDP for the other side. Default: the media server's answer. */
  localSdp?: string;
  /** Whether the media server has mod_spandsp. Without it, its commands would hang up the call. */
  canDetectTones: boolean;
  /** Called with the media server's response time to a command. */
  onReply?: (ms: number) => void;
}

export class EndpointLeg implements MediaLeg {
  readonly id: string;
  readonly #endpoint: Endpoint;
  readonly #dialog: EndpointDialog;
  readonly #options: EndpointOptions;
  readonly #lost = deferred<{ cause: LossCause }>();
  readonly lost = this.#lost.promise;
  #gone = false;
  #reasonTimer: NodeJS.Timeout | null = null;
  #localSdp: string;
  /** Counts plays, so that an older one that still waits for silence gives up. */
  #turn = 0;
  #playback: Playback | null = null;
  readonly #tonePause = new TonePause();
  /** `ignored`: the detector runs until the next prompt. `over`: keys from now on are for the agent. */
  #tones: 'off' | 'on' | 'ignored' | 'over' = 'off';
  #destroying: Promise<void> | null = null;
  #quality: SoundQuality | null = null;

  constructor(endpoint: Endpoint, dialog: EndpointDialog, options: EndpointOptions) {
    this.#options = options;
    this.id = endpoint.uuid;
    this.#endpoint = endpoint;
    this.#dialog = dialog;
    this.#localSdp = options.localSdp ?? dialog.remote.sdp;
    endpoint.on('dtmf', ({ dtmf, source }: { dtmf: string; source: string | null }) => {
      if (source === 'INBAND_AUDIO' && this.#tones !== 'ignored') this.#tonePause.toneStarted();
      if (this.#gone || !/^[\d*#]$/.test(dtmf)) return;
      options.onKey?.(Secret.of(dtmf), KEY_KINDS[source ?? ''] ?? 'telephone_event');
    });
    endpoint.on('playback-start', () => this.#playback?.fileStarted());
    endpoint.on('destroy', (hangup?: { reason?: string }) => {
      this.#end(hangup?.reason === 'MEDIA_TIMEOUT' ? 'media_timeout' : 'engine_lost');
    });
    dialog.once('destroy', () => {
      if (this.#gone) return;
      this.#reasonTimer = setTimeout(() => this.#end('engine_lost'), REASON_LIMIT_MS);
    });
    this.#prepare();
  }

  get quality(): SoundQuality | null {
    return this.#quality;
  }

  get localSdp(): string {
    return this.#localSdp;
  }

  async play(files: readonly string[]): Promise<PlayResult> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#silence();
    for (;;) {
      const pause = this.#tonePause.awaitPause();
      if (pause !== null) await pause;
      if (this.#gone || turn !== this.#turn) return 'stopped';
      if (this.#playback === null) return this.#start(files.join(DELIMITER));
      // A playback started during another one would run inside it, and the outer one would continue afterwards. So this
      // ends the outer one first.
      this.#playback.break();
      await this.#playback.ended;
    }
  }

  stop(): void {
    this.#turn += 1;
    this.#silence();
  }

  ring(): void {
    void this.play([RINGING]);
  }

  /**
   * Runs the detector only once: each application costs the channel some of the caller's sound, and a second detector
   * is an error.
   */
  detectTones(): void {
    if (this.#tones === 'ignored') this.#tones = 'on';
    if (this.#tones !== 'off' || !this.#options.canDetectTones) return;
    this.#tones = 'on';
    this.#execute('spandsp_start_dtmf', '', () => undefined);
  }

  /** The detector is stopped before the next prompt, not between keys, because an application costs some of them. */
  ignoreTones(): void {
    if (this.#tones === 'on') this.#tones = 'ignored';
  }

  /** Reads FreeSWITCH's count of packets, because FreeSWITCH raises no event for a key without an end. */
  async receivesEvents(): Promise<boolean> {
    const counted = deferred<boolean>();
    this.#command('uuid_set_media_stats', [this.id], () => {
      const name = 'rtp_audio_in_dtmf_packet_count';
      this.#command('uuid_getvar', [this.id, name], (reply) => counted.resolve(Number(reply.getBody()) > 0));
    });
    return (await waitAtMost(COUNT_LIMIT_MS, counted.promise)) ?? false;
  }

  async negotiate(remoteSdp: string): Promise<string> {
    // An empty SDP would request an offer.
    if (!/^m=audio \d/m.test(remoteSdp)) throw new Error('an SDP without audio');
    const answer = await waitAtMost(NEGOTIATE_LIMIT_MS, reinvite(this.#dialog, this.#options.acceptedSdp(remoteSdp)));
    if (answer === null) throw new Error('the media server did not answer a new SDP');
    this.#localSdp = answer;
    this.#restartDetection();
    return answer;
  }

  /** Restarts the detector, because the codec may have changed. */
  #restartDetection(): void {
    this.#stopIgnored();
    if (this.#tones !== 'on') return;
    for (const app of ['spandsp_stop_dtmf', 'spandsp_start_dtmf']) this.#execute(app, '', () => undefined);
  }

  async bridge(other: MediaLeg): Promise<void> {
    this.#turn += 1;
    this.#playback?.break();
    if (this.#tones === 'on') this.#tones = 'ignored';
    this.#stopIgnored();
    this.#tones = 'over';
    // Keys stay on their leg. The command requires a mask to send instead. `-` is not a DTMF digit, so nothing is sent.
    for (const id of [this.id, other.id]) this.#command('uuid_drop_dtmf', [id, 'on', 'mask_digits', '-']);
    const joined = this.#endpoint.bridge(other.id).then(() => true);
    if (!(await waitAtMost(NEGOTIATE_LIMIT_MS, joined))) throw new Error('the media server did not bridge');
  }

  destroy(): Promise<void> {
    this.#destroying ??= this.#hangUp();
    return this.#destroying;
  }

  /** The server is lost: no event will arrive any more. */
  abandon(): void {
    this.#end('engine_lost');
  }

  /** Sets up the channel: `*` does not end a playback, and a list of files plays without pauses. */
  #prepare(): void {
    const variables = ['playback_terminators=none', `playback_delimiter=${DELIMITER}`, 'playback_sleep_val=0'];
    variables.push(`min_dup_digit_spacing_ms=${TONE_GAP_MS}`);
    this.#command('uuid_setvar_multi', [this.id, variables.join(';')]);
  }

  #stopIgnored(): void {
    if (this.#tones !== 'ignored') return;
    this.#tones = 'off';
    this.#execute('spandsp_stop_dtmf', '', () => undefined);
  }

  #start(path: string): Promise<PlayResult> {
    this.#stopIgnored();
    const playback = new Playback(this.id, (...command) => this.#command(...command));
    this.#playback = playback;
    void playback.ended.then(() => {
      if (this.#playback === playback) this.#playback = null;
    });
    this.#execute('playback', path, (completed) => playback.completed(completed));
    return playback.result;
  }

  /** A break makes FreeSWITCH discard sound, and tones in it. */
  #silence(): void {
    if (this.#tones === 'on') this.#playback?.pause();
    else this.#playback?.break();
  }

  #execute(app: string, data: string, completed: (event: EslEvent) => void): void {
    if (!this.#gone) this.#endpoint.conn?.execute(app, data, completed);
  }

  #command(name: string, args: readonly string[], replied: (reply: EslEvent) => void = () => undefined): void {
    if (!this.#gone) this.#endpoint.conn?.api(name, args, this.#timed(replied));
  }

  #timed(replied: (reply: EslEvent) => void = () => undefined): (reply: EslEvent) => void {
    const sentAt = performance.now();
    return (reply) => {
      this.#options.onReply?.(performance.now() - sentAt);
      replied(reply);
    };
  }

  async #hangUp(): Promise<void> {
    if (this.#gone) return;
    const measured = deferred<void>();
    this.#execute('set_media_stats', '', (completed) => {
      this.#quality = soundQuality(completed);
      measured.resolve();
    });
    this.#end('destroyed');
    const hungUp = this.#endpoint.destroy().then(
      () => true,
      () => false,
    );
    // It is sent before the BYE, but by the event socket. On a busy machine, the SIP server may be faster.
    if (await waitAtMost(HANGUP_LIMIT_MS, hungUp)) await endsWithin(STATS_LIMIT_MS, measured.promise);
    else await this.#bye();
  }

  /** Hangs up by SIP, for a channel that no longer takes commands. */
  async #bye(): Promise<void> {
    if (!this.#dialog.connected) return;
    await endsWithin(HANGUP_LIMIT_MS, this.#dialog.destroy());
    this.#dialog.removeAllListeners();
  }

  #end(cause: LossCause): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#reasonTimer !== null) clearTimeout(this.#reasonTimer);
    this.#playback?.end('stopped');
    if (cause !== 'destroyed') void this.#bye();
    this.#lost.resolve({ cause });
  }
}

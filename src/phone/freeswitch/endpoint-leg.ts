/** The media of one leg on a FreeSWITCH channel, which drachtio-fsmrf calls an endpoint. */
import type { Endpoint, EndpointDialog, EslEvent } from 'drachtio-fsmrf';
import type { SoundQuality } from '../../domain/listed-call.ts';
import { Secret } from '../../domain/secret.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import { endsWithin, waitAtMost } from '../../lib/concurrency/time-limit.ts';
import type { KeyKind, KeySink, MediaLeg, PlayResult } from '../ports.ts';
import { reinvite } from '../reinvite.ts';
import { Playback, TonePause } from './playback.ts';
import { soundQuality } from './sound-quality.ts';

export type LossCause = 'media_timeout' | 'engine_lost' | 'destroyed';

const HANGUP_LIMIT_MS = 2_000;
/** For the event with the figures of the sound, after the BYE. */
const STATS_LIMIT_MS = 500;
/** For the count of telephone events, which takes a millisecond. */
const COUNT_LIMIT_MS = 500;
const NEGOTIATE_LIMIT_MS = 4_000;
/** After the BYE: the hangup's reason comes by the event socket and may be slower. */
const REASON_LIMIT_MS = 300;
/** Separates the files of a list. `file_string://` would need none, but starts a quarter of a second late. */
const DELIMITER = '!';
/** By `DTMF-Source` (switch_channel.c). `ENDPOINT` is a SIP INFO, `APP` a command of an operator. */
const KEY_KINDS: Readonly<Record<string, KeyKind>> = { INBAND_AUDIO: 'sound', ENDPOINT: 'sip_info' };
/**
 * mod_spandsp takes a tone with a gap for two from 25 ms on; ITU-T Q.24 asks for 10 at least, and no key is let go so
 * shortly.
 */
const TONE_GAP_MS = 30;
/** North American ringback tone for 54 s. */
const RINGING = 'tone_stream://%(2000,4000,440,480);loops=9';

export interface EndpointOptions {
  onKey: KeySink | null;
  /** What the media server is given of an SDP of theirs. @throws where RINGKEY_SRTP rules it out */
  acceptedSdp: (remoteSdp: string) => string;
  /** What the other side is to see of ours. Default: what the media server has answered. */
  localSdp?: string;
  /** Whether the media server has mod_spandsp; without it, its commands would hang up the call. */
  canDetectTones: boolean;
  /** Told how long the media server took to reply to a command. */
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
  /** Counts plays: an older one that still waits for silence gives up. */
  #turn = 0;
  #playback: Playback | null = null;
  readonly #tonePause = new TonePause();
  /** `ignored`: the detector still runs, until the next prompt. `over`: what is keyed now is for the agent. */
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
      if (source === 'INBAND_AUDIO' && this.#tones !== 'ignored') this.#tonePause.toneHeard();
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
      // A playback started during another would run inside it, and the outer one would go on afterwards. So end that
      // first.
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
   * Once: each application that runs costs the channel some of the caller's sound, and the detector calls a second one
   * an error.
   */
  detectTones(): void {
    if (this.#tones === 'ignored') this.#tones = 'on';
    if (this.#tones !== 'off' || !this.#options.canDetectTones) return;
    this.#tones = 'on';
    this.#execute('spandsp_start_dtmf', '', () => undefined);
  }

  /**
   * The detector is stopped before the next prompt, not in the middle of the keys, of which an application costs some.
   */
  ignoreTones(): void {
    if (this.#tones === 'on') this.#tones = 'ignored';
  }

  /** By FreeSWITCH's count of packets: it makes no event of a key whose end does not come. */
  async receivesEvents(): Promise<boolean> {
    const counted = deferred<boolean>();
    this.#command('uuid_set_media_stats', [this.id], () => {
      const name = 'rtp_audio_in_dtmf_packet_count';
      this.#command('uuid_getvar', [this.id, name], (reply) => counted.resolve(Number(reply.getBody()) > 0));
    });
    return (await waitAtMost(COUNT_LIMIT_MS, counted.promise)) ?? false;
  }

  async negotiate(remoteSdp: string): Promise<string> {
    // An empty SDP would be a request for an offer.
    if (!/^m=audio \d/m.test(remoteSdp)) throw new Error('an SDP without audio');
    const answer = await waitAtMost(NEGOTIATE_LIMIT_MS, reinvite(this.#dialog, this.#options.acceptedSdp(remoteSdp)));
    if (answer === null) throw new Error('the media server did not answer a new SDP');
    this.#localSdp = answer;
    this.#detectAnew();
    return answer;
  }

  /** The sound may have another codec now. */
  #detectAnew(): void {
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
    // Keys stay on their leg. The command requires a mask to send instead; `-` is not a DTMF digit, so nothing is sent.
    for (const id of [this.id, other.id]) this.#command('uuid_drop_dtmf', [id, 'on', 'mask_digits', '-']);
    const joined = this.#endpoint.bridge(other.id).then(() => true);
    if (!(await waitAtMost(NEGOTIATE_LIMIT_MS, joined))) throw new Error('the media server did not bridge');
  }

  destroy(): Promise<void> {
    this.#destroying ??= this.#hangUp();
    return this.#destroying;
  }

  /** The server is lost: no event will come any more. */
  abandon(): void {
    this.#end('engine_lost');
  }

  /**
   * Sets the channel up: `*` does not end a playback, a list of files plays without pauses, and of the library's
   * subscription the events that are not read here are dropped (each has 6 KB).
   */
  #prepare(): void {
    const variables = ['playback_terminators=none', `playback_delimiter=${DELIMITER}`, 'playback_sleep_val=0'];
    variables.push(`min_dup_digit_spacing_ms=${TONE_GAP_MS}`);
    this.#corked(() => {
      this.#endpoint.conn?.api('uuid_setvar_multi', [this.id, variables.join(';')], this.#timed());
      this.#endpoint.conn?.sendRecv('nixevent CHANNEL_EXECUTE PLAYBACK_STOP', () => undefined);
    });
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

  /** Keys that are tones are in the sound that a break makes FreeSWITCH throw away. */
  #silence(): void {
    if (this.#tones === 'on') this.#playback?.pause();
    else this.#playback?.break();
  }

  #execute(app: string, data: string, completed: (event: EslEvent) => void): void {
    this.#corked(() => this.#endpoint.conn?.execute(app, data, completed));
  }

  #command(name: string, args: readonly string[], replied: (reply: EslEvent) => void = () => undefined): void {
    this.#corked(() => this.#endpoint.conn?.api(name, args, this.#timed(replied)));
  }

  #timed(replied: (reply: EslEvent) => void = () => undefined): (reply: EslEvent) => void {
    const sentAt = performance.now();
    return (reply) => {
      this.#options.onReply?.(performance.now() - sentAt);
      replied(reply);
    };
  }

  /** The library writes every line of a command by itself; this makes them one TCP segment. */
  #corked(write: () => void): void {
    const socket = this.#endpoint.conn?.socket ?? null;
    if (this.#gone || socket === null) return;
    socket.cork();
    write();
    socket.uncork();
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
    // It is sent before the BYE, but by the event socket, and on a busy machine the way over the SIP server may be
    // faster.
    if (await waitAtMost(HANGUP_LIMIT_MS, hungUp)) await endsWithin(STATS_LIMIT_MS, measured.promise);
    else await this.#bye();
  }

  /** Hangs up from the SIP side, for a channel that takes no commands any more. */
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

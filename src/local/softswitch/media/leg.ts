/**
 * One SIP leg of the media server: the dialog with the signalling half on one side, the channel and its RTP on the
 * other.
 */

import { type PortPair, RtpStream } from '../rtp/index.ts';
import { cseqOf, type Dialog, headerValue, type ServerTransaction, type SipRequest } from '../sip/index.ts';
import { runApplication } from './applications.ts';
import { reasonHeader } from './causes.ts';
import { Channel } from './channel.ts';
import { digitInInfo } from './dtmf-info.ts';
import type { Engine } from './engine.ts';
import { identityOf, mediaVariables, sipVariables } from './leg-variables.ts';
import { NO_SDP, type RemoteMedia, readSdp, SdpSession, sdpBody } from './sdp.ts';

export interface LegDeps {
  engine: Engine;
  /** Set on every channel before it is answered, as FreeSWITCH's dialplan does. */
  presets: Record<string, string>;
  /** Hands the answered channel to the app that waits at `host:port`. */
  handOver(channel: Channel, target: string): void;
}

const SDP_HEADERS = { 'Content-Type': 'application/sdp', 'Content-Disposition': 'session' };
const HEADERS = { 'User-Agent': 'freeswitch', Supported: 'timer, path, replaces' };

/** Exists from the answer to the end of the dialog; owns its port pair. */
export class Leg {
  readonly channel: Channel;
  readonly #deps: LegDeps;
  readonly #pair: PortPair;
  readonly #sdp = new SdpSession();
  readonly #appTarget: string;
  #dialog: Dialog | undefined;
  #remote: RemoteMedia | null = null;

  constructor(deps: LegDeps, invite: ServerTransaction, pair: PortPair, appTarget: string) {
    this.#deps = deps;
    this.#pair = pair;
    this.#appTarget = appTarget;
    const { engine } = deps;
    this.channel = new Channel(
      {
        bus: engine.bus,
        events: engine.events,
        run: (channel, frame) => runApplication(engine, channel, frame),
        bye: (cause) => this.#bye(cause),
        gone: (channel) => engine.remove(channel),
        failed: engine.options.failed,
      },
      identityOf(invite),
    );
    this.channel.stream = new RtpStream(pair, engine.clock, {
      digit: (digit) => this.channel.digit(digit, 'RTP'),
      audio: (_sound, codec, packet) => this.channel.tones?.receive(packet, codec),
    });
    this.channel.variables.setAll({ ...sipVariables(this.channel, invite, engine), ...deps.presets });
    engine.add(this.channel);
  }

  /**
   * Answers with media. Hands the channel over immediately if there is an offer, otherwise when the ACK brings the
   * peer's answer.
   */
  answer(invite: ServerTransaction, offer: RemoteMedia | null, sdp: string): void {
    const body = offer ? this.#accept(offer, sdp) : this.#offer();
    invite.respond(200, { headers: { ...HEADERS, ...SDP_HEADERS }, body });
    const { dialog } = invite;
    if (!dialog) {
      this.channel.hangup('ORIGINATOR_CANCEL', 'remote');
      return;
    }
    this.#dialog = dialog;
    this.channel.variables.setAll({ sip_to_tag: dialog.localTag, sip_cseq: cseqOf(invite.request)?.number });
    dialog.on('request', (transaction) => this.#request(transaction));
    dialog.on('ended', ({ by, cause }) => {
      if (by !== 'local')
        this.channel.hangup(cause === 'ack-timeout' ? 'RECOVERY_ON_TIMER_EXPIRE' : 'NORMAL_CLEARING', 'remote');
    });
    dialog.on('ack', (ack, transaction) => this.#acked(ack, transaction, offer === null && transaction === invite));
    if (offer) this.#up();
  }

  #up(): void {
    this.channel.answered();
    this.channel.variables.set('endpoint_disposition', 'ANSWER');
    this.#deps.handOver(this.channel, this.#appTarget);
  }

  /** The ACK has the answer if the offer was in our 200. */
  #acked(ack: SipRequest, { request }: ServerTransaction, first: boolean): void {
    if (request.body) return;
    const sdp = sdpBody(ack) ?? '';
    const answer = readSdp(sdp);
    if (answer) this.#apply(answer, sdp);
    else if (first) this.channel.hangup('INCOMPATIBLE_DESTINATION');
    if (first && this.channel.up) this.#up();
  }

  #request(transaction: ServerTransaction): void {
    const { method, request } = transaction;
    if (method === 'BYE') {
      transaction.respond(200, { headers: HEADERS });
      this.channel.hangup('NORMAL_CLEARING', 'remote');
    } else if (method === 'INVITE' || method === 'UPDATE') {
      this.#renegotiate(transaction);
    } else if (method === 'INFO') {
      transaction.respond(200, { headers: HEADERS });
      const digit = digitInInfo(headerValue(request, 'Content-Type') ?? '', request.body);
      if (digit) this.channel.digit(digit, 'ENDPOINT');
    } else {
      transaction.respond(method === 'OPTIONS' ? 200 : 501, { headers: HEADERS });
    }
  }

  #renegotiate(transaction: ServerTransaction): void {
    const body = sdpBody(transaction.request);
    if (body === null) {
      transaction.respond(415, { headers: { ...HEADERS, ...NO_SDP } });
      return;
    }
    const offer = body ? readSdp(body) : null;
    if (body && !offer) {
      transaction.respond(488, { headers: HEADERS });
      return;
    }
    if (!body && transaction.method === 'UPDATE') {
      transaction.respond(200, { headers: HEADERS });
      return;
    }
    const answer = offer ? this.#accept(offer, body) : this.#offer();
    transaction.respond(200, { headers: { ...HEADERS, ...SDP_HEADERS }, body: answer });
  }

  #offer(): string {
    const sdp = this.#sdp.offer(this.#pair.address, this.#pair.port, this.#remote?.codec);
    this.#describeLocal(sdp);
    return sdp;
  }

  #accept(offer: RemoteMedia, text: string): string {
    const sdp = this.#sdp.answer(this.#pair.address, this.#pair.port, offer);
    this.#describeLocal(sdp);
    this.#apply(offer, text);
    return sdp;
  }

  #describeLocal(sdp: string): void {
    this.channel.variables.setAll({
      rtp_local_sdp_str: sdp,
      local_media_ip: this.#pair.address,
      local_media_port: this.#pair.port,
      advertised_media_ip: this.#pair.address,
    });
  }

  /** The peer's description is known: starts the media. */
  #apply(remote: RemoteMedia, text: string): void {
    const { channel } = this;
    this.#remote = remote;
    channel.codec = remote.codec;
    channel.variables.setAll(mediaVariables(remote, text, channel.stream?.ssrc ?? 0));
    channel.stream?.configure({
      remoteAddress: remote.address,
      remotePort: remote.port,
      codec: remote.codec,
      telephoneEvents: [...new Set([remote.telephoneEvent ?? 101, 101])],
      telephoneEventRate: { payloadType: remote.telephoneEvent, hertz: remote.telephoneEventRate },
      // Our events are always at 8 kHz.
      sendTelephoneEvent: remote.telephoneEventRate === 8_000 ? remote.telephoneEvent : null,
      sending: remote.direction === 'sendrecv' || remote.direction === 'recvonly',
    });
    if (channel.times.answeredMs > 0) channel.hold(isHeld(remote));
    this.#limitSilence(remote);
  }

  /**
   * As in switch_core_media: a peer that only listens turns the limit off permanently, and a peer on hold has the
   * longer limit.
   */
  #limitSilence(remote: RemoteMedia): void {
    const { variables } = this.channel;
    if (remote.direction === 'recvonly') {
      variables.setAll({
        media_timeout_audio: 0,
        media_hold_timeout_audio: 0,
        rtp_timeout_sec: 0,
        rtp_hold_timeout_sec: 0,
      });
    }
    const plainMs =
      variables.integer('media_timeout_audio') ??
      variables.integer('media_timeout') ??
      1000 * (variables.integer('rtp_timeout_sec') ?? 0);
    const holdMs =
      variables.integer('media_hold_timeout_audio') ?? variables.integer('media_hold_timeout') ?? 10 * plainMs;
    this.#deps.engine.limitSilence(this.channel, isHeld(remote) ? holdMs : plainMs);
  }

  #bye(cause: string): void {
    if (this.#dialog?.alive) this.#dialog.bye({ ...HEADERS, Reason: reasonHeader(cause) });
  }
}

function isHeld({ direction, address }: RemoteMedia): boolean {
  return direction === 'sendonly' || direction === 'inactive' || address === '0.0.0.0';
}

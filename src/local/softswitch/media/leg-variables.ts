/** The channel variables and the channel name that mod_sofia and FreeSWITCH's media layer set for a leg. */

import type { RtpStream } from '../rtp/index.ts';
import { headerValue, parseNameAddr, parseSipUri, parseVia, type ServerTransaction, tagOf } from '../sip/index.ts';
import type { Channel } from './channel.ts';
import type { Engine } from './engine.ts';
import { microseconds } from './event.ts';
import type { RemoteMedia } from './sdp.ts';

type Values = Record<string, string | number | undefined>;

/** The channel's name, from the From header as in mod_sofia, and the user of the Request-URI. */
export function identityOf({ request, from }: ServerTransaction): {
  name: string;
  networkAddress: string;
  destination: string;
} {
  const caller = parseSipUri(parseNameAddr(headerValue(request, 'From') ?? '')?.uri ?? '');
  const name = `sofia/drachtio_mrf/${caller?.user ?? 'nobody'}@${caller?.host ?? from.address}:${caller?.port ?? from.port}`;
  return { name, networkAddress: from.address, destination: parseSipUri(request.uri)?.user ?? '' };
}

/** The variables that mod_sofia sets from the INVITE. Custom headers become `sip_h_…`. */
export function sipVariables(channel: Channel, { request, from }: ServerTransaction, engine: Engine): Values {
  const value = (name: string): string | undefined => headerValue(request, name);
  const via = parseVia(value('Via') ?? '');
  const custom = request.headers
    .filter(({ name }) => /^x-/i.test(name))
    .map(({ name, value: text }) => [`sip_h_${name}`, text]);
  return {
    direction: 'inbound',
    uuid: channel.uuid,
    session_id: engine.sessionCount + 1,
    ...uriVariables('from', value('From')),
    channel_name: channel.facts.name,
    sip_call_id: value('Call-ID'),
    sip_local_network_addr: from.address,
    sip_network_ip: from.address,
    sip_network_port: from.port,
    sip_invite_stamp: microseconds(Date.now()),
    sip_received_ip: from.address,
    sip_received_port: from.port,
    sip_via_protocol: from.transport,
    sip_from_tag: tagOf(value('From') ?? ''),
    sofia_profile_name: 'drachtio_mrf',
    sofia_profile_url: `sip:mod_sofia@${engine.sipAddress}`,
    recovery_profile_name: 'drachtio_mrf',
    sip_full_via: value('Via'),
    sip_full_from: value('From'),
    sip_full_to: value('To'),
    ...uriVariables('req', request.uri),
    ...uriVariables('to', value('To')),
    ...uriVariables('contact', value('Contact')),
    sip_user_agent: value('User-Agent'),
    sip_via_host: via?.host,
    sip_via_port: via?.port,
    sip_via_rport: from.port,
    max_forwards: value('Max-Forwards') ?? '70',
    ...Object.fromEntries(custom),
    call_uuid: channel.uuid,
  };
}

function uriVariables(which: string, header: string | undefined): Values {
  const text = header ?? '';
  const uri = parseSipUri(text) ?? parseSipUri(parseNameAddr(text)?.uri ?? '');
  if (!uri) return {};
  const user = uri.user ?? (which === 'from' || which === 'contact' ? 'nobody' : undefined);
  const hostPort = uri.port === undefined ? uri.host : `${uri.host}:${uri.port}`;
  return {
    [`sip_${which}_user`]: user,
    [`sip_${which}_port`]: uri.port,
    [`sip_${which}_uri`]: user === undefined ? hostPort : `${user}@${hostPort}`,
    [`sip_${which}_host`]: uri.host,
  };
}

/** The variables of the negotiated audio stream. @param text the peer's session description, unchanged */
export function mediaVariables(remote: RemoteMedia, text: string, ssrc: number): Values {
  const codec = remote.codec;
  return {
    switch_r_sdp: text,
    ep_codec_string: remote.codecs.map((name) => `CORE_PCM_MODULE.${name}@8000h@20i@64000b`).join(','),
    rtp_use_codec_string: 'PCMU,PCMA',
    remote_audio_media_flow: remote.direction,
    audio_media_flow: remote.direction,
    rtp_audio_recv_pt: codec === 'PCMU' ? 0 : 8,
    rtp_use_codec_name: codec,
    rtp_use_codec_rate: 8000,
    rtp_use_codec_ptime: 20,
    rtp_use_codec_channels: 1,
    rtp_last_audio_codec_string: `${codec}@8000h@20i@1c`,
    read_codec: codec,
    original_read_codec: codec,
    read_rate: 8000,
    original_read_rate: 8000,
    write_codec: codec,
    write_rate: 8000,
    dtmf_type: 'rfc2833',
    rtp_use_timer_name: 'soft',
    rtp_use_pt: codec === 'PCMU' ? 0 : 8,
    rtp_use_ssrc: ssrc,
    rtp_2833_send_payload: remote.telephoneEvent ?? undefined,
    rtp_2833_recv_payload: remote.telephoneEvent ?? undefined,
    remote_media_ip: remote.address,
    remote_media_port: remote.port,
  };
}

/** The statistics of `switch_core_media_set_stats` about the received audio, as far as they are known here. */
export function receptionVariables(stream: RtpStream | null): Values {
  if (stream === null) return {};
  const { counters, reception } = stream;
  return {
    rtp_audio_in_packet_count: counters.received,
    rtp_audio_in_media_packet_count: counters.audio,
    rtp_audio_in_dtmf_packet_count: counters.events,
    rtp_audio_in_jitter_min_variance: reception.minVariance.toFixed(2),
    rtp_audio_in_jitter_max_variance: reception.maxVariance.toFixed(2),
    rtp_audio_in_mean_interval: reception.meanIntervalMs.toFixed(2),
    rtp_audio_in_flaw_total: reception.lost,
  };
}

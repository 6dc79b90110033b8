/**
 * FreeSWITCH's statistics of a channel's incoming sound: the variables that its application `set_media_stats` sets
 * (switch_core_media.c).
 */
import type { EslEvent } from 'drachtio-fsmrf';
import type { SoundQuality } from '../../domain/call.ts';

/**
 * `flaw_total` counts packets missing in the sequence; FreeSWITCH adds some if gaps follow each other.
 * (`skip_packet_count` also counts muted packets.) The variance is that of the times between packets, in square
 * milliseconds.
 */
export function soundQuality(event: EslEvent): SoundQuality {
  const number = (name: string) => numberOf(event.getHeader(`variable_rtp_audio_in_${name}`));
  const variance = number('jitter_max_variance');
  return {
    codec: event.getHeader('variable_read_codec') || null,
    packetsReceived: number('media_packet_count'),
    packetsLost: number('flaw_total'),
    jitterMs: variance === null ? null : Math.round(Math.sqrt(variance) * 10) / 10,
  };
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

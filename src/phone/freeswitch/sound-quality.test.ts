/** The variables that `set_media_stats` of FreeSWITCH 1.11.2 sets. */
import type { EslEvent } from 'drachtio-fsmrf';
import { expect, test } from 'vitest';
import { soundQuality } from './sound-quality.ts';

const eventWith = (headers: Record<string, string>): EslEvent => ({
  getHeader: (name) => headers[name] ?? null,
  getBody: () => '',
});

test('reads codec, packets and the standard deviation of the times between packets', () => {
  const event = eventWith({
    variable_read_codec: 'PCMA',
    variable_rtp_audio_in_media_packet_count: '2140',
    variable_rtp_audio_in_skip_packet_count: '55',
    variable_rtp_audio_in_flaw_total: '3',
    variable_rtp_audio_in_jitter_max_variance: '7.29',
  });
  expect(soundQuality(event)).toEqual({ codec: 'PCMA', packetsReceived: 2140, packetsLost: 3, jitterMs: 2.7 });
});

test.each([
  {},
  { variable_rtp_audio_in_flaw_total: '-1', variable_rtp_audio_in_jitter_max_variance: 'nan', variable_read_codec: '' },
])('reads nothing from %o', (headers) => {
  expect(soundQuality(eventWith(headers as Record<string, string>))).toEqual({
    codec: null,
    packetsReceived: null,
    packetsLost: null,
    jitterMs: null,
  });
});

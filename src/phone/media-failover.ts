/** Media failover: moves a call whose media server died to another one. */
import type { PhoneDeps } from './deps.ts';
import { type CallLeg, type MediaLeg, NoMedia } from './ports.ts';

/**
 * Offers the caller the audio of another media server by re-INVITE (RFC 3261, 14.1).
 * @returns the media leg there; null when no server has room or the caller's side refuses. Never rejects.
 */
export async function failOverMedia(
  { pool, log }: Pick<PhoneDeps, 'pool' | 'log'>,
  leg: CallLeg,
  lost: MediaLeg,
): Promise<MediaLeg | null> {
  let media: MediaLeg | null = null;
  try {
    media = await pool.replace(lost);
    await media.negotiate(await leg.offer(media.localSdp));
    return media;
  } catch (error) {
    if (!(error instanceof NoMedia)) log.warn({ err: error, sipCallId: leg.sipCallId }, 'call not moved');
    await media?.destroy();
    return null;
  }
}

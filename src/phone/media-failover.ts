/** A media server died under a call: its caller is taken to another one. */
import type { PhoneDeps } from './deps.ts';
import { type CallLeg, type MediaLeg, NoMedia } from './ports.ts';

/**
 * Offers the caller's side the audio of another server by re-INVITE (RFC 3261, 14.1).
 * @returns the leg there, or null when no server or the caller's side plays along. Never rejects.
 */
export async function moveMedia(
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

/** Moves a call to another media leg, if its media server has died or does not recognize its keys. */
import type { PhoneDeps } from './deps.ts';
import { type CallLeg, type KeySink, type MediaLeg, NoMedia } from './ports.ts';

/**
 * Offers the caller the audio of another media server by re-INVITE (RFC 3261, 14.1).
 * @returns the media leg there; null if no server can take it or the caller's side refuses. Never rejects.
 */
export async function failOverMedia(
  { pool, log }: Pick<PhoneDeps, 'pool' | 'log'>,
  leg: CallLeg,
  lost: MediaLeg,
  onKey: KeySink,
): Promise<MediaLeg | null> {
  return moveTo(leg, () => pool.replace(lost, onKey), log);
}

/**
 * For a call without any key so far. If telephone-events arrive nevertheless, their end packets are missing. Then a leg
 * that does not wait for them takes over the call.
 * @returns that leg; null if none is needed or available. Never rejects.
 */
export async function takeUnendedKeys(
  { pool, log }: Pick<PhoneDeps, 'pool' | 'log'>,
  leg: CallLeg,
  deaf: MediaLeg,
  onKey: KeySink,
): Promise<MediaLeg | null> {
  if (!(await deaf.receivesEvents())) return null;
  log.info({ sipCallId: leg.sipCallId }, 'telephone events have no end: moving the call to a leg that accepts them');
  return moveTo(leg, () => pool.takeUnendedKeys(deaf, leg.remoteSdp, onKey), log);
}

async function moveTo(leg: CallLeg, create: () => Promise<MediaLeg>, log: PhoneDeps['log']): Promise<MediaLeg | null> {
  let media: MediaLeg | null = null;
  try {
    media = await create();
    await media.negotiate(await leg.offer(media.localSdp));
    return media;
  } catch (error) {
    if (!(error instanceof NoMedia)) log.warn({ err: error, sipCallId: leg.sipCallId }, 'call could not be moved');
    await media?.destroy();
    return null;
  }
}

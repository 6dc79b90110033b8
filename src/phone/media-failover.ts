/** Moves a call to another media leg: when its media server died, or does not take its keys. */
import type { PhoneDeps } from './deps.ts';
import { type CallLeg, type KeySink, type MediaLeg, NoMedia } from './ports.ts';

/**
 * Offers the caller the audio of another media server by re-INVITE (RFC 3261, 14.1).
 * @returns the media leg there; null when no server has room or the caller's side refuses. Never rejects.
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
 * For a call of which no key was heard: if telephone events come all the same, their end is missing, so a leg that does
 * not wait for it takes the call. @returns that leg; null when none is needed or can be had. Never rejects.
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

/** The media of an arriving call, and the refusals of an offer that no media fits. */
import {
  CallerGone,
  type CallLeg,
  type IncomingCall,
  type KeySink,
  type MediaLeg,
  type MediaPool,
  NoMedia,
} from './ports.ts';
import { Refusal } from './refusal.ts';

/** Tells the operator of the other side the reason (RFC 3261, 20.43: 305 incompatible media format). */
const ENCRYPTION_WARNING = { Warning: '305 ringkey "Encryption of the audio does not fit RINGKEY_SRTP"' };

/** 301: incompatible network address formats. */
const HOST_NAME_WARNING = { Warning: '301 ringkey "The audio must go to an IP address, not to a host name"' };

/** @throws Refusal 488 if the offer fits no media, 503 without a media server */
export async function createCallMedia(pool: MediaPool, call: IncomingCall, onKey: KeySink | null): Promise<MediaLeg> {
  try {
    if (call.offerSdp === null) return await pool.makeOffer(onKey, call.server);
    const media = await pool.answerOffer(call.offerSdp, onKey, call.server);
    // Before the answer, so that no key is missed.
    media.detectTones();
    return media;
  } catch (error) {
    if (!(error instanceof NoMedia)) throw error;
    if (error.reason === 'encryption') throw new Refusal(488, { reason: 'encryption', headers: ENCRYPTION_WARNING });
    if (error.reason === 'host_name') throw new Refusal(488, { reason: 'host_name', headers: HOST_NAME_WARNING });
    throw new Refusal(error.reason === 'no_common_codec' ? 488 : 503);
  }
}

/** For an INVITE without an offer: the ACK has the answer to ours (RFC 3261, 13.2.1). @throws CallerGone */
export async function completeOffer(leg: CallLeg, media: MediaLeg): Promise<void> {
  try {
    await media.negotiate(leg.remoteSdp);
  } catch {
    // After the ACK, hanging up is the only way to refuse an unusable answer.
    await leg.hangUp();
    throw new CallerGone();
  }
}

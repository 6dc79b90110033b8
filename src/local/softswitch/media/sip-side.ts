/**
 * The SIP side of the media server, FreeSWITCH's profile `drachtio_mrf`: accepts INVITEs from the signalling half and
 * makes legs of them.
 */
import { NoFreePort, type PortPair, type PortRange } from '../rtp/index.ts';
import { createSipAgent, headerValue, type ServerTransaction, type SipAgent } from '../sip/index.ts';
import { within } from './engine.ts';
import { Leg, type LegDeps } from './leg.ts';
import { NO_SDP, readSdp, sdpBody } from './sdp.ts';

export interface SipSideOptions extends LegDeps {
  /** Loopback: only the signalling half talks to us. */
  address: string;
  port: number;
  maxLegs: number;
  rtp: PortRange;
}

/** The listening SIP side. `close` hangs up no call; it waits for BYEs in progress. */
interface SipSide {
  port: number;
  close(): Promise<void>;
}

/**
 * The header with the token under which an app has registered its address; the dialplan of
 * `sip/freeswitch/freeswitch.xml` reads it in the same way. INVITEs without a registered token are refused, even with
 * drachtio-fsmrf's `X-esl-outbound`.
 */
const APP_HEADER = 'X-Ringkey-App';
const APP_TOKEN = /^[0-9a-f]{64}$/;
const APP_ADDRESS = /^[\w.-]+:\d{1,5}$/;
const BYE_LIMIT_MS = 500;
const ALLOW = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'INFO', 'UPDATE'];

/** Rejects with the system's error if the port is in use. */
export async function startSipSide(options: SipSideOptions): Promise<SipSide> {
  const agent = await createSipAgent({
    address: options.address,
    port: options.port,
    allow: ALLOW,
    maxCalls: options.maxLegs,
    userAgent: 'freeswitch',
  });
  agent.on('request', (transaction) => onRequest(options, transaction));
  return { port: agent.port, close: () => close(agent) };
}

/** Waits until the BYEs of the channels that have just been hung up are answered. */
async function close(agent: SipAgent): Promise<void> {
  const ended = [...agent.dialogs].map((dialog) => new Promise((resolve) => dialog.once('ended', resolve)));
  await within(BYE_LIMIT_MS, Promise.all(ended));
  await agent.close();
}

function onRequest(options: SipSideOptions, transaction: ServerTransaction): void {
  if (transaction.method !== 'INVITE') {
    transaction.respond(transaction.method === 'OPTIONS' ? 200 : 481);
    return;
  }
  onInvite(options, transaction).catch(options.engine.options.failed);
}

async function onInvite(options: SipSideOptions, invite: ServerTransaction): Promise<void> {
  const { request } = invite;
  const token = headerValue(request, APP_HEADER) ?? '';
  const appTarget = APP_TOKEN.test(token) ? (options.engine.globals.get(`ringkey_app_${token}`) ?? '') : '';
  if (!APP_ADDRESS.test(appTarget)) {
    invite.respond(403);
    return;
  }
  const sdp = sdpBody(request);
  if (sdp === null) {
    invite.respond(415, { headers: NO_SDP });
    return;
  }
  const offer = sdp === '' ? null : readSdp(sdp);
  if (sdp !== '' && !offer) {
    invite.respond(488);
    return;
  }
  invite.respond(100);
  const pair = await acquire(options.rtp);
  if (!pair) {
    invite.respond(503, { headers: { 'Retry-After': 5 } });
  } else if (invite.answered) {
    pair.release();
  } else {
    new Leg(options, invite, pair, appTarget).answer(invite, offer, sdp);
  }
}

async function acquire(rtp: PortRange): Promise<PortPair | null> {
  try {
    return await rtp.acquire();
  } catch (error) {
    if (error instanceof NoFreePort) return null;
    throw error;
  }
}

/** An incoming INVITE, until it is answered. */
import { CallerGone, type CallLeg, type IncomingCall, type KeySink } from '../ports.ts';
import type { EdgeConnection } from './dial.ts';
import type { Dialog, ServerRequest, ServerResponse, SrfLibrary } from './library.ts';
import { ALLOW, allows, attestationClaimsOf, dialogIdOf, divertedFrom, firstUser, sdpOf, userOf } from './messages.ts';
import { answerHeaders, timerOfInvite } from './session-timer.ts';

/** The port's view of an INVITE. */
export function incomingCall(
  srf: SrfLibrary,
  req: ServerRequest,
  res: ServerResponse,
  connection: EdgeConnection,
): IncomingCall {
  const canceled = new AbortController();
  req.on('cancel', () => canceled.abort());
  let answered = false;
  return {
    server: connection.server,
    sipCallId: req.get('Call-ID') ?? '',
    dialogId: dialogIdOf(req),
    requestUser: userOf(req.uri) ?? '',
    calledNumber: firstUser([req.get('To')]),
    divertedFrom: divertedFrom([req.get('Diversion'), req.get('History-Info')]),
    callingNumber: firstUser([req.get('P-Asserted-Identity'), req.get('Remote-Party-ID'), req.get('From')]),
    sourceAddress: req.source_address,
    receivedAt: new Date(),
    attestation: attestationClaimsOf(req),
    allowsRefer: allows(req.get('Allow'), 'REFER'),
    offerSdp: sdpOf(req.body, req.get('Content-Type')) || null,
    canceled: canceled.signal,
    reject(status, headers = {}) {
      if (answered || canceled.signal.aborted) return;
      answered = true;
      res.send(status, { headers });
    },
    answer(sdp, onKey) {
      answered = true;
      return answer(srf, req, res, { sdp, onKey }, connection);
    },
  };
}

/** Sends 200 OK and waits for the ACK. Without one the server ends the dialog after 32 s (RFC 3261, 13.3.1.4). */
function answer(
  srf: SrfLibrary,
  req: ServerRequest,
  res: ServerResponse,
  { sdp, onKey }: { sdp: string; onKey: KeySink | null },
  connection: EdgeConnection,
): Promise<CallLeg> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new CallerGone());
    const lost = () => reject(new CallerGone('engine_lost'));
    connection.lost.addEventListener('abort', lost, { once: true });
    const timer = timerOfInvite(req, connection.sessionTimer);
    const headers = { Allow: ALLOW, ...(timer && { Supported: 'timer', ...answerHeaders(req, timer) }) };
    const options = { localSdp: sdp, headers };
    srf.createUAS(req, res, options, (error: unknown, dialog: Dialog) => {
      connection.lost.removeEventListener('abort', lost);
      if (error) return gone();
      const leg = connection.newLeg(dialog, { onKey, timer, minSeconds: connection.sessionTimer.minSeconds });
      dialog.once('ack', () => resolve(leg));
      void leg.ended.then(gone);
    });
  });
}

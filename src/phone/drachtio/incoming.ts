/** An INVITE, until it is answered. */
import { CallerGone, type CallLeg, type IncomingCall } from '../ports.ts';
import type { EdgeConnection } from './dial.ts';
import { DialogLeg } from './dialog-leg.ts';
import type { Dialog, ServerRequest, ServerResponse, SrfLibrary } from './library.ts';
import { allows, firstUser, tagOf, userOf } from './messages.ts';

const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY';

/** The facts of an INVITE, and the two answers to it. */
export function incomingCall(
  srf: SrfLibrary,
  req: ServerRequest,
  res: ServerResponse,
  keeper: EdgeConnection,
): IncomingCall {
  const canceled = new AbortController();
  req.on('cancel', () => canceled.abort());
  let answered = false;
  return {
    sipCallId: req.get('Call-ID') ?? '',
    dialogId: `${req.get('Call-ID')};from-tag=${tagOf(req.get('From'))}`,
    requestUser: userOf(req.uri) ?? '',
    calledNumber: firstUser([req.get('To')]),
    callingNumber: firstUser([req.get('P-Asserted-Identity'), req.get('Remote-Party-ID'), req.get('From')]),
    sourceAddress: req.source_address,
    allowsRefer: allows(req.get('Allow'), 'REFER'),
    offerSdp: req.body ? req.body : null,
    canceled: canceled.signal,
    reject(status, headers = {}) {
      if (answered || canceled.signal.aborted) return;
      answered = true;
      res.send(status, { headers });
    },
    answer(sdp) {
      answered = true;
      return answer(srf, req, res, sdp, keeper);
    },
  };
}

/** 200 OK, then the wait for the ACK; the server gives that up after 32 s and ends the dialog (RFC 3261, 13.3.1.4). */
function answer(
  srf: SrfLibrary,
  req: ServerRequest,
  res: ServerResponse,
  sdp: string,
  keeper: EdgeConnection,
): Promise<CallLeg> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new CallerGone());
    keeper.lost.addEventListener('abort', gone, { once: true });
    const options = { localSdp: sdp, headers: { Allow: ALLOW } };
    srf.createUAS(req, res, options, (error: unknown, dialog: Dialog) => {
      keeper.lost.removeEventListener('abort', gone);
      if (error) return gone();
      const leg = new DialogLeg(srf, dialog);
      keeper.track(leg);
      dialog.once('ack', () => resolve(leg));
      void leg.ended.then(gone);
    });
  });
}

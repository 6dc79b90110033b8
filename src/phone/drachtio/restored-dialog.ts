/**
 * A dialog that the SIP server has forgotten because it was restarted. For drachtio-server (0.9.10), a request in it is
 * outside of any dialog, and the server keeps its From, To, Call-ID, CSeq and Route (doSendRequestOutsideDialog in
 * sip-dialog-controller.cpp). The server answers the far end's requests in the dialog with 481 or 503, and they do not
 * arrive here.
 */
import type { DialogFacts } from '../../domain/call.ts';
import { type ClientResponse, type Dialog, isTheirs, type SrfLibrary } from './library.ts';
import { contactUri, tagOf } from './messages.ts';

interface RestoredHooks {
  /** A response of the far end, not one that the server generated. */
  answered?: ((status: number) => void) | undefined;
  /** The far end no longer has the dialog. */
  gone?: (() => void) | undefined;
}

export class RestoredDialog {
  readonly #srf: SrfLibrary;
  readonly #facts: DialogFacts;
  readonly #isConnected: () => boolean;
  #seq = firstSeq();

  /** @param isConnected without a connection, the library throws */
  constructor(srf: SrfLibrary, facts: DialogFacts, isConnected: () => boolean) {
    this.#srf = srf;
    this.#facts = facts;
    this.#isConnected = isConnected;
  }

  /** Whether its SIP server is connected. */
  get reachable(): boolean {
    return this.#isConnected();
  }

  request(method: string, headers: Record<string, string>, { answered, gone }: RestoredHooks): void {
    if (!this.#isConnected()) return;
    const { callId, from, to, target, routes, contact } = this.#facts;
    this.#seq += 1;
    const dialog = { 'Call-ID': callId, From: from, To: to, CSeq: `${this.#seq} ${method}`, Contact: contact };
    const all = { ...headers, ...dialog, ...(routes.length > 0 && { Route: routes.join(', ') }) };
    const proxy = /<([^>]+)>/.exec(routes[0] ?? '')?.[1];
    const options = { method, headers: all, ...(proxy !== undefined && { proxy }) };
    this.#srf.request(target, options, (error, request) => {
      if (error) return;
      request.on('response', (response: ClientResponse) => {
        if (response.status < 200 || !isTheirs(response)) return;
        // RFC 3261, 12.2.2.
        if (response.status === 481) gone?.();
        else answered?.(response.status);
      });
    });
  }
}

/**
 * Higher than the SIP server's count, which starts below 2^27 and grows by one (nta.c of sofia-sip, leg_seq). Higher
 * than the count of an earlier restored dialog, because time passes. Below 2^31 (RFC 3261, 8.1.1.5).
 */
function firstSeq(): number {
  return 2 ** 30 + (Math.floor(Date.now() / 100) % 2 ** 29);
}

/**
 * The facts from which requests in a dialog are built (RFC 3261, 12.2.1.1), for when the SIP server has forgotten the
 * dialog.
 */
export function factsOf({ type, req, res, sip, local, remote }: Dialog): DialogFacts {
  const weCalled = type === 'uac';
  const [theirs, ours] = [req.get('From') ?? '', req.get('To') ?? ''];
  const theirMessage = weCalled ? res : req;
  const routes = routesIn(theirMessage.get('Record-Route') ?? '');
  return {
    callId: sip.callId,
    from: weCalled ? theirs : withTag(ours, sip.localTag),
    to: weCalled ? withTag(ours, sip.remoteTag) : theirs,
    target: contactUri(theirMessage.get('Contact')) ?? remote.uri,
    // The caller's side reverses the order of the proxies in the answer; the called side keeps their order (RFC 3261,
    // 12.1).
    routes: weCalled ? routes.reverse() : routes,
    contact: local.contact,
  };
}

function routesIn(recordRoute: string): string[] {
  return [...recordRoute.matchAll(/<[^>]+>[^,]*/g)].map(([route]) => route.trim());
}

function withTag(address: string, tag: string): string {
  return tagOf(address) === '' ? `${address};tag=${tag}` : address;
}

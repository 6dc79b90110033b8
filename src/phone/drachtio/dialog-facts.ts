/** What requests within a dialog are made of (RFC 3261, 12.2.1.1), for when the SIP server has forgotten the dialog. */
import type { DialogFacts } from '../../domain/dialog-facts.ts';
import type { Dialog } from './library.ts';
import { tagOf } from './messages.ts';

export function factsOf({ type, req, res, sip, local, remote }: Dialog): DialogFacts {
  const weCalled = type === 'uac';
  const [theirs, ours] = [req.get('From') ?? '', req.get('To') ?? ''];
  const routes = routesIn((weCalled ? res : req).get('Record-Route') ?? '');
  return {
    callId: sip.callId,
    from: weCalled ? theirs : withTag(ours, sip.localTag),
    to: weCalled ? withTag(ours, sip.remoteTag) : theirs,
    target: remote.uri,
    // The caller has the proxies in the order of the answer reversed, the called side as they stand (RFC 3261, 12.1).
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

/** The dialogs of a SIP agent: how INVITE transactions create, confirm and end them. */
import type { ClientPlan, ClientTransaction } from './client-transaction.ts';
import type { Core } from './core.ts';
import { Dialog, type DialogHooks, uacSeed, uasSeed } from './dialog.ts';
import { headerList, headerValue } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Peer, SipRequest, SipResponse } from './types.ts';
import { tagOf } from './uri.ts';

type Follow = Pick<ClientPlan, 'onResponse' | 'onRepeated2xx'>;

export class DialogStore {
  readonly #core: Core;
  readonly #dialogs = new Map<string, Dialog>();
  readonly #hooks: DialogHooks;

  constructor(core: Core, request: DialogHooks['request'], send: DialogHooks['send']) {
    this.#core = core;
    this.#hooks = { request, send, ended: (dialog) => this.#dialogs.delete(dialog.key) };
  }

  get(key: string): Dialog | undefined {
    return this.#dialogs.get(key);
  }

  all(): Iterable<Dialog> {
    return this.#dialogs.values();
  }

  close(): void {
    for (const dialog of [...this.#dialogs.values()]) dialog.end({ by: 'local', cause: 'closed' });
  }

  /** Our answer to an incoming initial INVITE is about to be sent (RFC 3261 12.1.1). */
  answering(transaction: ServerTransaction, status: number): void {
    if (transaction.method !== 'INVITE' || status === 100) return;
    if (status >= 300) {
      if (transaction.dialog?.state === 'early') transaction.dialog.end({ by: 'local', cause: 'rejected' });
      return;
    }
    const remoteTag = tagOf(headerValue(transaction.request, 'From')) ?? '';
    if (!transaction.dialog) {
      const dialog = this.#add(new Dialog(this.#core, this.#hooks, uasSeed(transaction, remoteTag)));
      dialog.startedBy(transaction);
      transaction.dialog = dialog;
    }
    if (status >= 200 && transaction.dialog.state === 'early') transaction.dialog.state = 'confirmed';
  }

  /** Our 2xx was never ACKed: hangs up (RFC 3261 13.3.1.4). */
  neverAcked(transaction: ServerTransaction): void {
    const dialog = transaction.dialog;
    if (!dialog?.alive) return;
    const bye = dialog.request({ method: 'BYE', headers: { Reason: 'SIP;cause=200;text="ACK timeout"' } });
    bye.once('sent', (message) => dialog.end({ by: 'stack', cause: 'ack-timeout', message }));
  }

  /**
   * Follows an INVITE outside a dialog: each fork creates an early dialog, the first 2xx wins, later ones get a BYE.
   */
  followInvite(transaction: () => ClientTransaction, ack: 'auto' | 'manual'): Follow {
    const forks = new Map<string, Dialog>();
    return {
      onResponse: (response, local, peer) => {
        if (transaction().method !== 'INVITE') return;
        const request = transaction().request;
        const dialog =
          request && !local && response.status < 300 ? this.#fork(forks, request, response, peer) : undefined;
        if (dialog) {
          dialog.refreshTarget(response);
          transaction().dialog = dialog;
        }
        if (response.status < 200) return;
        for (const other of forks.values()) {
          if (other !== dialog) other.end({ by: 'remote', cause: 'rejected' });
        }
        if (dialog) confirm(dialog, request, response, ack);
      },
      onRepeated2xx: (response) => {
        const request = transaction().request;
        const dialog = transaction().dialog;
        if (!request || !dialog || tagOf(headerValue(response, 'To')) === dialog.remoteTag) dialog?.repeatAck();
        else if (transaction().peer) this.#hangUpFork(forks, request, response, transaction().peer ?? dialog.flow);
      },
    };
  }

  /** Follows a request in a dialog: target refresh, the ACK of a re-INVITE, the end by BYE. */
  followInDialog(dialog: Dialog, transaction: () => ClientTransaction, ack: 'auto' | 'manual'): Follow {
    return {
      onResponse: (response) => {
        const { method, request } = transaction();
        const ok = response.status >= 200 && response.status < 300;
        if (ok && (method === 'INVITE' || method === 'UPDATE')) dialog.refreshTarget(response);
        if (ok && method === 'INVITE') {
          dialog.noteInviteSeq(request);
          if (ack === 'auto') dialog.ack();
        }
        if (method === 'BYE' && response.status >= 200) {
          dialog.end({ by: 'local', cause: 'bye', ...(request ? { message: request } : {}) });
        }
      },
      onRepeated2xx: () => dialog.repeatAck(),
    };
  }

  #fork(forks: Map<string, Dialog>, request: SipRequest, response: SipResponse, peer: Peer): Dialog | undefined {
    const to = tagOf(headerValue(response, 'To'));
    const from = tagOf(headerValue(request, 'From')) ?? '';
    // RFC 3261 12.1: a 2xx of an RFC 2543 peer may lack the tag.
    if (to === undefined && response.status < 200) return undefined;
    const known = forks.get(to ?? '');
    if (known) return known;
    const made = this.#add(
      new Dialog(this.#core, this.#hooks, uacSeed(request, response, { from, to: to ?? '' }, peer)),
    );
    forks.set(to ?? '', made);
    return made;
  }

  /** RFC 3261 13.2.2.4: a second 2xx from another fork is ACKed and hung up. */
  #hangUpFork(forks: Map<string, Dialog>, request: SipRequest, response: SipResponse, peer: Peer): void {
    const seen = forks.get(tagOf(headerValue(response, 'To')) ?? '');
    if (seen?.state === 'ending') {
      seen.repeatAck();
      return;
    }
    forks.delete(tagOf(headerValue(response, 'To')) ?? '');
    const dialog = this.#fork(forks, request, response, peer);
    if (!dialog) return;
    confirm(dialog, request, response, 'auto');
    dialog.bye();
  }

  #add(dialog: Dialog): Dialog {
    this.#dialogs.set(dialog.key, dialog);
    return dialog;
  }
}

function confirm(dialog: Dialog, request: SipRequest | undefined, response: SipResponse, ack: 'auto' | 'manual'): void {
  dialog.state = 'confirmed';
  dialog.noteInviteSeq(request);
  // The route set of an early dialog becomes final with the 2xx (RFC 3261 13.2.2.4).
  dialog.routeSet = headerList(response, 'Record-Route').reverse();
  if (ack === 'auto') dialog.ack();
}

/** Passes SIP requests from the network to an application, and answers for one that stays silent. */
import {
  type Dialog,
  headerValue,
  type ServerTransaction,
  type SipAgent,
  type SipRequest,
  serialize,
  tagOf,
} from '../sip/index.ts';
import type { AppConnection, Routes } from './app-connection.ts';
import type { Calls, OwnedDialog } from './calls.ts';
import { type About, fromNetwork, newRequestLine, sipLine, splitHostPort } from './leader.ts';
import type { SessionTimers } from './session-timers.ts';

/** For a call that no application accepts. */
const RETRY_AFTER_SECONDS = 5;
/** The methods that drachtio-server passes to applications outside a dialog. It answers 481 to others or drops them. */
const OUT_OF_DIALOG = ['INVITE', 'REGISTER', 'MESSAGE', 'OPTIONS', 'INFO', 'NOTIFY', 'SUBSCRIBE', 'PUBLISH'];

export class FromNetwork {
  readonly #agent: SipAgent;
  readonly #calls: Calls;
  readonly #routes: Routes;
  readonly #timers: SessionTimers;

  constructor(agent: SipAgent, calls: Calls, routes: Routes, timers: SessionTimers) {
    this.#agent = agent;
    this.#calls = calls;
    this.#routes = routes;
    this.#timers = timers;
  }

  receive(transaction: ServerTransaction): void {
    if (transaction.dialog) this.#inDialog(transaction, transaction.dialog);
    else this.#outOfDialog(transaction);
  }

  /** Follows an application's dialog: its ACKs, and its end by the stack. */
  follow(owned: OwnedDialog): void {
    const { dialog } = owned;
    dialog.on('ack', (ack, invite) => owned.owner.tell(sipLine(aboutAck(ack, invite), invite.id, dialog.id)));
    dialog.once('ended', (end) => {
      this.#calls.drop(dialog);
      this.#timers.stop(owned);
      if (end.by === 'stack' && end.message) this.tellOwnBye(owned, end.message);
    });
  }

  /** Reports a BYE that the server sent by itself as if it had been received, with the transaction `unsolicited`. */
  tellOwnBye(owned: OwnedDialog, bye: SipRequest): void {
    const { flow, id } = owned.dialog;
    const [address, port] = splitHostPort(this.#agent.hostPortFor(flow.address));
    const about: About = { source: 'application', text: serialize(bye), protocol: flow.transport, address, port };
    owned.owner.tell(sipLine(about, 'unsolicited', id));
  }

  #inDialog(transaction: ServerTransaction, dialog: Dialog): void {
    const owned = this.#calls.dialogs.get(dialog.id);
    const owner = owned?.owner ?? this.#ownerOfEarly(dialog);
    if (!owner?.open) {
      transaction.respond(481);
      return;
    }
    const refreshes = transaction.method === 'INVITE' || transaction.method === 'UPDATE';
    const minSeconds = refreshes && owned ? this.#timers.refreshed(owned, transaction.request) : undefined;
    if (minSeconds !== undefined) {
      transaction.respond(422, { headers: { 'Min-SE': minSeconds } });
      return;
    }
    this.#expectAnswer(transaction, owner);
    owner.tell(sipLine(fromNetwork(serialize(transaction.request), transaction.from), transaction.id, dialog.id));
  }

  /** Before the final answer, the dialog belongs to the application that holds the INVITE. */
  #ownerOfEarly(dialog: Dialog): AppConnection | undefined {
    for (const { transaction, owner } of this.#calls.incoming.values()) {
      if (transaction.dialog === dialog && transaction.method === 'INVITE') return owner;
    }
    for (const { transaction, owner } of this.#calls.outgoing.values()) {
      if (transaction.dialog === dialog) return owner;
    }
    return undefined;
  }

  #outOfDialog(transaction: ServerTransaction): void {
    const { request, from } = transaction;
    if (!OUT_OF_DIALOG.includes(transaction.method)) {
      transaction.respond(481);
      return;
    }
    const owner = this.#routes.next(transaction.method);
    if (!owner) {
      transaction.respond(503, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
      return;
    }
    this.#expectAnswer(transaction, owner);
    transaction.once('cancel', (cancel) => this.#cancelled(transaction, owner, cancel));
    const receivedOn = this.#agent.hostPortFor(from.address);
    owner.tell(newRequestLine(fromNetwork(serialize(request), from), transaction.id, receivedOn));
  }

  #expectAnswer(transaction: ServerTransaction, owner: AppConnection): void {
    this.#calls.incoming.set(transaction.id, { transaction, owner });
    transaction.once('abandoned', () => this.#calls.incoming.delete(transaction.id));
  }

  #cancelled(transaction: ServerTransaction, owner: AppConnection, cancel: SipRequest): void {
    this.#calls.incoming.delete(transaction.id);
    const dialogId = transaction.dialog?.id ?? '';
    owner.tell(sipLine(fromNetwork(serialize(cancel), transaction.from), transaction.id, dialogId));
  }
}

/** drachtio-server leaves the protocol of an ACK empty. */
function aboutAck(ack: SipRequest, invite: ServerTransaction): About {
  return { ...fromNetwork(serialize(ack), invite.from), protocol: '' };
}

/** Call-ID and From tag of the request: the dialog's ID, known before the dialog exists. */
export function dialogIdOf(request: SipRequest): string {
  return `${headerValue(request, 'Call-ID') ?? ''};from-tag=${tagOf(headerValue(request, 'From')) ?? ''}`;
}

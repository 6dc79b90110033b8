/** Which application each pending transaction and each dialog belongs to. */
import type { ClientTransaction, Dialog, ServerTransaction } from '../sip/index.ts';
import type { AppConnection } from './app-connection.ts';

/** A dialog, and the application that receives its events. */
export interface OwnedDialog {
  dialog: Dialog;
  owner: AppConnection;
  /** The application cancelled this INVITE, but the 200 arrived first: the server hangs up after its ACK. */
  byeAfterAck: boolean;
  /** The last session description that the application sent in the dialog. */
  localSdp: string;
}

export interface OwnedRequest {
  transaction: ClientTransaction;
  owner: AppConnection;
  cancelled: boolean;
}

/** A request from the network, and the application that answers it. */
interface OwnedAnswer {
  transaction: ServerTransaction;
  owner: AppConnection;
}

/** Open requests and dialogs, by their ids. Entries are removed when they are answered or ended. */
export class Calls {
  /** Requests from the network that an application has yet to answer. */
  readonly incoming = new Map<string, OwnedAnswer>();
  /** Requests of applications without a final answer. */
  readonly outgoing = new Map<string, OwnedRequest>();
  readonly dialogs = new Map<string, OwnedDialog>();

  /** Adds a dialog; returns undefined if it is already known. */
  adopt(dialog: Dialog, owner: AppConnection, localSdp: string): OwnedDialog | undefined {
    if (this.dialogs.get(dialog.id)?.dialog === dialog) return undefined;
    const owned = { dialog, owner, byeAfterAck: false, localSdp };
    this.dialogs.set(dialog.id, owned);
    return owned;
  }

  drop(dialog: Dialog): void {
    if (this.dialogs.get(dialog.id)?.dialog === dialog) this.dialogs.delete(dialog.id);
  }

  findByCallId(callId: string): OwnedDialog | undefined {
    for (const owned of this.dialogs.values()) {
      if (owned.dialog.callId === callId) return owned;
    }
    return undefined;
  }
}

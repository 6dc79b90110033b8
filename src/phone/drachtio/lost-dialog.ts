/** A dialog of another process of ours, which has died. */
import type { DialogFacts } from '../../domain/call.ts';
import type { CallLeg, ReferOptions, Referral } from '../ports.ts';
import { isTheirs, isUnknownDialog, type SrfLibrary } from './library.ts';
import { ReferAttempt } from './refer.ts';
import { RestoredDialog } from './restored-dialog.ts';

/** Interval of checking whether the dialog still exists. */
const LOOK_AGAIN_MS = 1_000;

export class LostDialog implements Pick<CallLeg, 'refer'> {
  readonly #srf: SrfLibrary;
  readonly #dialogId: string;
  readonly #contact: string;
  readonly #isConnected: () => boolean;
  /** For a SIP server that has forgotten the dialog. Null if too little is known. */
  readonly #restored: RestoredDialog | null;
  #isForgotten = false;
  /** The server has had the dialog. If it no longer has it, the far end has hung up. */
  #wasKnown = false;

  /** @param isConnected without a connection, the library throws */
  constructor(
    srf: SrfLibrary,
    dialog: { id: string; contact: string; facts: DialogFacts | null },
    isConnected: () => boolean,
  ) {
    this.#srf = srf;
    this.#dialogId = dialog.id;
    this.#contact = dialog.contact;
    this.#isConnected = isConnected;
    this.#restored = dialog.facts && new RestoredDialog(srf, dialog.facts, isConnected);
  }

  /** Sends a BYE. @param ended called when it was sent or failed; `known`: the dialog existed */
  hangUp(ended: (known: boolean) => void): void {
    const answered = () => ended(true);
    this.#request('BYE', {}, answered, () => ended(false));
  }

  /** NOTIFYs do not arrive here. After the REFER is accepted, the server has the dialog until the far end hangs up. */
  refer(target: string, headers: Record<string, string>, options: ReferOptions): Referral {
    const gone = () => referral.legEnded('them');
    const look = () => this.#request('OPTIONS', {}, () => referral.answered(), gone);
    // If the caller's side does not answer the REFER, the same BYE follows.
    const referral = new ReferAttempt(options, { probe: look, vanished: () => undefined, hearsNotify: false });
    const looking = setInterval(look, LOOK_AGAIN_MS);
    void referral.result.then(() => clearInterval(looking));
    const answered = (status: number) => referral.responded(status);
    this.#request('REFER', { ...headers, 'Refer-To': `<${target}>` }, answered, gone);
    return referral;
  }

  #request(
    method: string,
    headers: Record<string, string>,
    answered: (status: number) => void,
    gone: () => void,
  ): void {
    if (!this.#isConnected()) return;
    if (this.#isForgotten) {
      this.#restored?.request(method, headers, { answered, gone });
      return;
    }
    const options = { method, stackDialogId: this.#dialogId, headers: { ...headers, Contact: this.#contact } };
    this.#srf.request('sip:placeholder', options, (error, request) => {
      this.#wasKnown ||= !error;
      if (isUnknownDialog(error) && this.#restored !== null && !this.#wasKnown) {
        this.#isForgotten = true;
        this.#restored.request(method, headers, { answered, gone });
      } else if (isUnknownDialog(error)) gone();
      else if (!error) request.on('response', (response) => isTheirs(response) && answered(response.status));
    });
  }
}

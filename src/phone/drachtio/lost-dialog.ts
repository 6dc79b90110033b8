/** A dialog that another process of ours held until it died. */
import type { CallLeg, ReferOptions, Referral } from '../ports.ts';
import { type ClientResponse, isUnknownDialog, type SrfLibrary } from './library.ts';
import { ReferAttempt } from './refer.ts';

/** Between two requests that ask whether the dialog is still there. */
const LOOK_AGAIN_MS = 1_000;

export class LostDialog implements Pick<CallLeg, 'refer'> {
  readonly #srf: SrfLibrary;
  readonly #dialogId: string;
  readonly #contact: string;
  readonly #isConnected: () => boolean;

  /** @param isConnected without a connection the library throws */
  constructor(srf: SrfLibrary, dialogId: string, contact: string, isConnected: () => boolean) {
    this.#srf = srf;
    this.#dialogId = dialogId;
    this.#contact = contact;
    this.#isConnected = isConnected;
  }

  /** NOTIFYs do not come here. Once the REFER is accepted, the server knows the dialog until the far end hangs up. */
  refer(target: string, headers: Record<string, string>, options: ReferOptions): Referral {
    const gone = () => referral.legEnded('them');
    const look = () => this.#request('OPTIONS', {}, () => referral.answered(), gone);
    // What the caller's side does about a REFER that it leaves unanswered: the BYE that follows is the same.
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
    const options = { method, stackDialogId: this.#dialogId, headers: { ...headers, Contact: this.#contact } };
    this.#srf.request('sip:placeholder', options, (error, request) => {
      if (isUnknownDialog(error)) gone();
      else if (!error) request.on('response', (response) => isTheirs(response) && answered(response.status));
    });
  }
}

/** Not one that the server made up because it reached nobody (RFC 3261, 8.1.3.1). */
function isTheirs({ source_address }: ClientResponse): boolean {
  return source_address !== '';
}

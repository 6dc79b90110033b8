/** A call leg on a drachtio dialog. All the ways it can end meet in `#end`. */
import { deferred } from '../../concurrency/deferred.ts';
import { endsWithin, waitAtMost } from '../../concurrency/time-limit.ts';
import type { Secret } from '../../domain/secret.ts';
import { KeyBuffer } from '../key-buffer.ts';
import type { CallLeg, LegEnd, ReferResult } from '../ports.ts';
import type { ClientResponse, Dialog, ServerRequest, ServerResponse, SrfLibrary } from './library.ts';
import { infoKey, isTerminated, sipfragStatus } from './messages.ts';

/** For the response to a BYE. The server's own timer F is 32 s, too long for a hang-up. */
const BYE_LIMIT_MS = 2_000;
/** For the response to a re-INVITE, which takes a phone about one round trip. */
const OFFER_LIMIT_MS = 4_000;

type ReferNotify = { status: number | null; terminated: boolean };

export class DialogLeg implements CallLeg {
  readonly #srf: SrfLibrary;
  readonly #dialog: Dialog;
  readonly #ended = deferred<LegEnd>();
  readonly ended = this.#ended.promise;
  #over = false;
  #hangingUp: Promise<void> | null = null;
  readonly #keys = new KeyBuffer();
  #onOffer: ((sdp: string) => Promise<string>) | null = null;
  #onNotify: ((notify: ReferNotify) => void) | null = null;

  constructor(srf: SrfLibrary, dialog: Dialog) {
    this.#srf = srf;
    this.#dialog = dialog;
    dialog.once('destroy', () => this.#end('them'));
    dialog.on('notify', (req, res) => this.#notified(req, res));
    dialog.on('info', (req, res) => this.#informed(req, res));
    dialog.on('modify', (req, res) => void this.#offered(req, res));
  }

  get dialogId(): string {
    return this.#dialog.id;
  }

  get sipCallId(): string {
    return this.#dialog.sip.callId;
  }

  get remoteSdp(): string {
    return this.#dialog.remote.sdp;
  }

  get over(): boolean {
    return this.#over;
  }

  onKey(handler: (key: Secret) => void): void {
    this.#keys.onKey(handler);
  }

  onOffer(handler: (sdp: string) => Promise<string>): void {
    this.#onOffer = handler;
  }

  async offer(sdp: string): Promise<string> {
    if (this.#over) throw new Error('the leg is over');
    const answer = await waitAtMost(OFFER_LIMIT_MS, this.#dialog.modify(sdp));
    if (answer === null) throw new Error('our offer was not answered');
    return answer;
  }

  hangUp(): Promise<void> {
    this.#hangingUp ??= this.#bye();
    return this.#hangingUp;
  }

  /** The connection to the server is lost: nothing more will be heard of this dialog. */
  lost(): void {
    this.#end('engine_lost');
  }

  refer(target: string, headers: Record<string, string>, limitMs: number): Promise<ReferResult> {
    if (this.#over) return Promise.resolve({ accepted: false, reason: 'leg_gone' });
    return new Promise((resolve) => {
      let taken = false;
      let silent = true;
      const answered = () => {
        silent = false;
      };
      const limit = setTimeout(
        () => settle({ accepted: false, reason: silent ? this.#vanished() : 'timeout' }),
        limitMs,
      );
      // A phone that does not know REFER may drop it. A phone that is alive answers OPTIONS (RFC 3261, 11.2).
      const probe = setTimeout(() => silent && this.#request('OPTIONS', {}, answered), limitMs / 4);
      const settle = (result: ReferResult) => {
        clearTimeout(limit);
        clearTimeout(probe);
        this.#onNotify = null;
        resolve(result);
      };
      // A NOTIFY may arrive before the response to the REFER (RFC 6665, 4.1.2.4).
      this.#onNotify = (notify) => {
        answered();
        const result = referResult(notify);
        if (result !== null) settle(result);
      };
      void this.ended.then(({ by }) =>
        settle(taken && by === 'them' ? { accepted: true } : { accepted: false, reason: 'leg_gone' }),
      );
      this.#request('REFER', { ...headers, 'Refer-To': `<${target}>` }, (status) => {
        answered();
        taken = status >= 200 && status < 300;
        if (!taken) settle({ accepted: false, reason: 'refused', status });
      });
    });
  }

  /** No response at all to requests within a dialog ends it (RFC 3261, 12.2.1.2). */
  #vanished(): 'leg_gone' {
    void this.hangUp();
    return 'leg_gone';
  }

  /**
   * Sends a request within the dialog. With our Contact, which a REFER needs (RFC 3515, 2.4.1) and the server does not add.
   * @param answered not called for a 408 or 503 that the server made up because it reached nobody (RFC 3261, 8.1.3.1)
   */
  #request(method: string, headers: Record<string, string>, answered: (status: number) => void): void {
    const all = { ...headers, Contact: this.#dialog.local.contact };
    this.#dialog.request({ method, headers: all }, (error: unknown, response: ClientResponse) => {
      if (!error && response.source_address !== '') answered(response.status);
    });
  }

  #notified(req: ServerRequest, res: ServerResponse): void {
    res.send(200);
    this.#onNotify?.({ status: sipfragStatus(req.body), terminated: isTerminated(req.get('Subscription-State')) });
  }

  #informed(req: ServerRequest, res: ServerResponse): void {
    res.send(200);
    const key = infoKey(req.get('Content-Type'), req.body);
    if (key !== null) this.#keys.press(key);
  }

  /** A re-INVITE. Without an offer, or before a handler is set, our SDP stays as it is. */
  async #offered(req: ServerRequest, res: ServerResponse): Promise<void> {
    const headers = { Contact: this.#dialog.local.contact, 'Content-Type': 'application/sdp' };
    try {
      if (req.body && this.#onOffer) this.#dialog.local.sdp = await this.#onOffer(req.body);
      res.send(200, { headers, body: this.#dialog.local.sdp });
    } catch {
      // The session goes on as it was (RFC 3261, 14.2).
      res.send(488);
    }
  }

  async #bye(): Promise<void> {
    if (this.#over) return;
    this.#end('us');
    // A BYE that can't be sent is as good: they hung up at the same time, or the server has forgotten the dialog.
    if (!(await endsWithin(BYE_LIMIT_MS, this.#dialog.destroy()))) this.#forget();
  }

  #end(by: LegEnd['by']): void {
    if (this.#over) return;
    this.#over = true;
    this.#keys.close();
    this.#onOffer = null;
    if (by === 'engine_lost') this.#forget();
    this.#ended.resolve({ by });
  }

  #forget(): void {
    this.#srf.removeDialog(this.#dialog);
    this.#dialog.removeAllListeners();
  }
}

/** The result in a NOTIFY: its first final status, or the end of the subscription (RFC 3515, 2.4.5). Null for progress. */
function referResult({ status, terminated }: ReferNotify): ReferResult | null {
  if (status !== null && status >= 200 && status < 300) return { accepted: true };
  if (status !== null && status >= 300) return { accepted: false, reason: 'failed', status };
  return terminated ? { accepted: false, reason: 'failed' } : null;
}

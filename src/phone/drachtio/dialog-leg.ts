/** A call leg on a drachtio dialog. Every way it can end goes through `#end`. */

import type { DialogFacts } from '../../domain/call.ts';
import { Secret } from '../../domain/secret.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import { endsWithin, waitAtMost } from '../../lib/concurrency/time-limit.ts';
import type { CallLeg, KeySink, LegEnd, ReferOptions, Referral } from '../ports.ts';
import { reinvite } from '../reinvite.ts';
import {
  type ClientResponse,
  type Dialog,
  isUnknownDialog,
  type ServerRequest,
  type ServerResponse,
  type SipMessage,
  type SrfLibrary,
} from './library.ts';
import { ALLOW, CAPABILITIES, infoKey, isTerminated, NO_SDP, OPEN_KEYS, sdpOf, sipfragStatus } from './messages.ts';
import { ReferAttempt } from './refer.ts';
import { factsOf, RestoredDialog } from './restored-dialog.ts';
import { answerHeaders, offerHeaders, type SessionTimer, timerOfRefresh } from './session-timer.ts';

/** Limit for the response to a BYE. The server's own timer F is 32 s, too long for a hang-up. */
const BYE_LIMIT_MS = 2_000;
/** Interval of checking whether the server still has the dialog of a resumed call. */
const LOOK_AGAIN_MS = 2_000;
/** Limit for the response to a re-INVITE, which takes a phone about one round trip. */
const OFFER_LIMIT_MS = 4_000;
/** Limit for the call to set its handler of offers. */
const HANDLER_LIMIT_MS = 2_000;
/** The server's text in a BYE of its own. */
const TIMER_EXPIRED = 'Session timer expired';

/**
 * Whether to refuse a request, or an answer to ours, because the SRTP keys of the audio would be sent by SIP in the
 * clear. `sdp`: empty without an offer.
 */
export type RefusesKeys = (message: Pick<ServerRequest, 'protocol'> & { method?: string }, sdp: string) => boolean;

export interface LegSession {
  /** The name of the SIP server. */
  server: string;
  /** Gets the keys that arrive as SIP INFO. Null: they are ignored. */
  onKey: KeySink | null;
  /** The session timer that the INVITE agreed on. */
  timer: SessionTimer | null;
  /** The shortest session timer that we accept. */
  minSeconds: number;
  refusesKeys: RefusesKeys;
  /** Whether there is a connection to the server. */
  isConnected: () => boolean;
  /** Called when a request could not be handled. The leg hangs up. */
  onFault: (error: unknown) => void;
}

export class DialogLeg implements CallLeg {
  readonly #srf: SrfLibrary;
  readonly #server: string;
  readonly #dialog: Dialog;
  readonly #ended = deferred<LegEnd>();
  readonly ended = this.#ended.promise;
  #over = false;
  #hangingUp: Promise<void> | null = null;
  readonly #isConnected: () => boolean;
  readonly #onKey: KeySink | null;
  readonly #offerHandler = deferred<(sdp: string) => Promise<string>>();
  /** The latest agreed session timer. */
  #timer: SessionTimer | null;
  readonly #minSeconds: number;
  /** Set once the server has restarted and forgotten the dialog. */
  #restored: RestoredDialog | null = null;
  #isAway = false;
  readonly #refusesKeys: RefusesKeys;
  readonly #onFault: (error: unknown) => void;
  /** The latest SDP of theirs that we have accepted. */
  #remoteSdp: string;
  /** We have answered a re-INVITE without an offer with our own offer: the ACK has their answer (RFC 3261, 14.2). */
  #awaitsAnswer = false;
  #referral: ReferAttempt | null = null;
  #watching: NodeJS.Timeout | undefined;

  constructor(srf: SrfLibrary, dialog: Dialog, session: LegSession) {
    this.#srf = srf;
    this.#server = session.server;
    this.#isConnected = session.isConnected;
    this.#dialog = dialog;
    this.#timer = session.timer;
    this.#minSeconds = session.minSeconds;
    this.#refusesKeys = session.refusesKeys;
    this.#onFault = session.onFault;
    this.#onKey = session.onKey;
    this.#remoteSdp = this.remoteSdp;
    dialog.once('destroy', (_request, reason) => this.#end(reason === TIMER_EXPIRED ? 'session_expired' : 'them'));
    this.#handleRequests();
  }

  #handleRequests(): void {
    const dialog = this.#dialog;
    dialog.on('notify', (req, res) => void this.#handle(() => this.#notified(req, res)));
    dialog.on('info', (req, res) => void this.#handle(() => this.#informed(req, res)));
    dialog.on('options', (_req, res) => res.send(200, { headers: CAPABILITIES }));
    // We transfer callers, but callers cannot transfer us (RFC 3515, 2.4.2). The library would answer 200.
    dialog.on('refer', (_req, res) => res.send(405, { headers: { Allow: ALLOW } }));
    dialog.on('modify', (req, res) => void this.#handle(() => this.#offered(req, res)));
    dialog.on('update', (req, res) => void this.#handle(() => this.#offered(req, res)));
    const answerIn = (ack: SipMessage) => sdpOf(ack.body, ack.get('Content-Type')) ?? '';
    dialog.on('ack', (ack) => void this.#handle(() => this.#acknowledged(answerIn(ack))));
  }

  /**
   * The library calls most handlers with `setImmediate` (Dialog.handle), where an error would end the process. It ends
   * this leg instead.
   */
  async #handle(handle: () => void | Promise<void>): Promise<void> {
    try {
      await handle();
    } catch (error) {
      this.#onFault(error);
      await this.hangUp();
    }
  }

  get dialogId(): string {
    return this.#dialog.id;
  }

  get sipCallId(): string {
    return this.#dialog.sip.callId;
  }

  get localContact(): string {
    return this.#dialog.local.contact;
  }

  get facts(): DialogFacts {
    return { ...factsOf(this.#dialog), server: this.#server };
  }

  get reachable(): boolean {
    return !this.#over && !this.#isAway;
  }

  /** Whether the server is away, or has not confirmed that it still has the dialog. Then the edge sends the BYE. */
  get away(): boolean {
    return this.#isAway;
  }

  get remoteSdp(): string {
    return sdpOf(this.#dialog.remote.sdp, undefined) ?? '';
  }

  get over(): boolean {
    return this.#over;
  }

  onOffer(handler: (sdp: string) => Promise<string>): void {
    this.#offerHandler.resolve(handler);
  }

  async offer(sdp: string): Promise<string> {
    if (this.#over) throw new Error('the leg is over');
    const answer = await waitAtMost(OFFER_LIMIT_MS, reinvite(this.#dialog, sdp, this.#offerHeaders()));
    if (answer === null) throw new Error('our offer was not answered');
    return sdpOf(answer, undefined) ?? '';
  }

  hangUp(): Promise<void> {
    this.#hangingUp ??= this.#bye();
    return this.#hangingUp;
  }

  /** The connection to the server is lost. The call continues, because its audio does not pass through the server. */
  detach(): void {
    this.#isAway = true;
    this.#referral?.connectionLost();
  }

  /** The server was away for too long. */
  lost(): void {
    this.#end('engine_lost');
  }

  /**
   * Continues on a new connection to the server, if the server still has the dialog. drachtio-server (0.9.10) answers
   * 481 to the far end's requests, because the dialog belongs to the old connection. So this asks the server
   * periodically whether the far end has hung up.
   * @param goesOn called when the server has confirmed the dialog
   */
  resume(goesOn: () => void): void {
    let isKnown = false;
    const known = () => {
      if (!isKnown) goesOn();
      isKnown = true;
      this.#isAway = false;
    };
    const over = () => this.#end('them');
    const look = () => this.#request('OPTIONS', {}, { known, answered: known, gone });
    // If unknown from the start, the server has restarted. If unknown later, the far end has hung up.
    const gone = () => {
      if (isKnown || this.#restored !== null) return over();
      this.#restored = new RestoredDialog(this.#srf, this.facts, this.#isConnected);
      look();
    };
    clearInterval(this.#watching);
    this.#watching = setInterval(look, LOOK_AGAIN_MS);
    look();
  }

  /** If its server is away: continues on another server, as on its own after a restart. */
  moveTo(srf: SrfLibrary, isConnected: () => boolean, goesOn: () => void): void {
    const isLost = this.#restored === null ? !this.#isConnected() : !this.#restored.reachable;
    if (this.#over || !isLost) return;
    this.#isAway = true;
    this.#restored = new RestoredDialog(srf, this.facts, isConnected);
    this.resume(goesOn);
  }

  refer(target: string, headers: Record<string, string>, options: ReferOptions): Referral {
    const referral = new ReferAttempt(options, {
      probe: () => this.#request('OPTIONS', {}, { answered: () => referral.answered() }),
      vanished: () => void this.hangUp(),
      // The server itself answers a NOTIFY in a dialog that it has forgotten.
      hearsNotify: this.#restored === null,
      trustsAcceptance: this.#restored !== null,
    });
    this.#referral = referral;
    void this.ended.then(({ by }) => referral.legEnded(by));
    if (!this.#over) {
      const all = { ...headers, 'Refer-To': `<${target}>` };
      this.#request('REFER', all, { answered: (status) => referral.responded(status) });
    }
    return referral;
  }

  /**
   * Sends a request in the dialog, with our Contact, which a REFER needs (RFC 3515, 2.4.1) and the server does not add.
   */
  #request(method: string, headers: Record<string, string>, { answered, known, gone }: RequestHooks): void {
    if (this.#restored !== null) {
      this.#restored.request(method, headers, { answered, gone });
      return;
    }
    const all = { ...headers, Contact: this.#dialog.local.contact };
    this.#dialog.request({ method, headers: all }, (error: unknown, response: ClientResponse) => {
      if (isUnknownDialog(error)) gone?.();
      else if (!error) known?.();
      if (!error && response.source_address !== '') answered?.(response.status);
    });
  }

  #notified(req: ServerRequest, res: ServerResponse): void {
    res.send(200);
    this.#referral?.notified({
      status: sipfragStatus(req.body),
      terminated: isTerminated(req.get('Subscription-State')),
    });
  }

  #informed(req: ServerRequest, res: ServerResponse): void {
    res.send(200);
    const key = infoKey(req.get('Content-Type'), req.body);
    if (key !== null && !this.#over) this.#onKey?.(Secret.of(key), 'sip_info');
  }

  /** A re-INVITE without Session-Expires would end the session timer (RFC 4028, 7.4). */
  #offerHeaders(): Record<string, string> {
    return this.#timer === null ? {} : offerHeaders(this.#timer, this.#minSeconds);
  }

  /**
   * Handles a re-INVITE or an UPDATE. Our SDP does not change without a new offer, as in a refresh of the session
   * timer.
   */
  async #offered(req: ServerRequest, res: ServerResponse): Promise<void> {
    const sdp = sdpOf(req.body, req.get('Content-Type'));
    if (sdp === null) return res.send(415, { headers: NO_SDP });
    if (this.#refusesKeys(req, sdp)) return res.send(488, { headers: OPEN_KEYS });
    try {
      const isNew = sdp !== '' && sdp !== this.#remoteSdp;
      if (isNew) this.#dialog.local.sdp = await this.#takeOffer(sdp);
      if (isNew) this.#remoteSdp = sdp;
      this.#timer = timerOfRefresh(req);
      const timer = this.#timer === null ? {} : answerHeaders(req, this.#timer);
      const headers = { Contact: this.#dialog.local.contact, Allow: ALLOW, ...timer };
      // Only an INVITE without an offer gets one in its answer (RFC 3311, 5.2).
      if (req.method === 'UPDATE' && sdp === '') res.send(200, { headers });
      else {
        const body = this.#dialog.local.sdp;
        this.#awaitsAnswer = sdp === '';
        res.send(200, { headers: { ...headers, 'Content-Type': 'application/sdp' }, body });
      }
    } catch {
      // The session continues unchanged (RFC 3261, 14.2).
      res.send(488);
    }
  }

  /** Handles the ACK of a re-INVITE. @param answer to the offer in our 200; empty if theirs was answered */
  async #acknowledged(answer: string): Promise<void> {
    const isNew = this.#awaitsAnswer && answer !== '' && answer !== this.#remoteSdp;
    this.#awaitsAnswer = false;
    if (!isNew) return;
    this.#remoteSdp = answer;
    // It is too late to refuse it. If the media server does not accept it, the session continues unchanged.
    await this.#takeOffer(answer).catch(() => undefined);
  }

  /**
   * A re-INVITE may arrive with the ACK, just before the call sets its handler.
   * @returns our SDP. @throws if the offer is not accepted
   */
  async #takeOffer(sdp: string): Promise<string> {
    const handler = await waitAtMost(HANDLER_LIMIT_MS, this.#offerHandler.promise);
    if (handler === null || this.#over) throw new Error('the call takes no offers');
    return handler(sdp);
  }

  async #bye(): Promise<void> {
    if (this.#over) return;
    this.#end('us');
    // A BYE that cannot be sent is no problem: they hung up at the same time, or the server has forgotten the dialog.
    if (this.#isAway) return this.#forget();
    if (this.#restored !== null) {
      const restored = this.#restored;
      const answered = new Promise<void>((resolve) => {
        restored.request('BYE', {}, { answered: () => resolve(), gone: resolve });
      });
      await endsWithin(BYE_LIMIT_MS, answered);
      this.#forget();
    } else if (!(await endsWithin(BYE_LIMIT_MS, this.#dialog.destroy()))) this.#forget();
  }

  #end(by: LegEnd['by']): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#watching);
    if (by === 'engine_lost') this.#forget();
    this.#ended.resolve({ by });
  }

  #forget(): void {
    this.#srf.removeDialog(this.#dialog);
    this.#dialog.removeAllListeners();
  }
}

interface RequestHooks {
  /**
   * The far end's response, but not a 408 or 503 that the server generated because it reached no one (RFC 3261,
   * 8.1.3.1).
   */
  answered?: (status: number) => void;
  /** The server has the dialog and a response arrived, perhaps one that it generated. */
  known?: () => void;
  /** The server does not have the dialog. */
  gone?: () => void;
}

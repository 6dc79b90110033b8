/**
 * Builds SIPp scenarios of a caller, step by step: `new
 * CallerScenario(target).invites().isAnswered().keys('4242…').isHungUpOn().xml`.
 */
import { type PayloadType, silence } from './silence.ts';
import { answer, type Body, type Codecs, media, message, pause, scenario, sdpBody, send } from './xml.ts';

export interface CallerScenarioOptions {
  /** The number in From. */
  number?: string;
  /** Whether Allow lists REFER. Without it the line bridges the call to the agent. */
  takesRefer?: boolean;
  /** More headers of the INVITE. */
  headers?: readonly string[];
}

const ALLOW = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, NOTIFY';
const CONTACT = 'Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>';
/** The branch, which is the same for an INVITE, its CANCEL and its ACK of a refusal (RFC 3261, 9.1 and 17.1.1.3). */
const INVITE_BRANCH = 'z9hG4bK-invite-[pid]-[call_number]';

/** Times of `play_dtmf`: first a filler, then one digit. */
const FILLER_MS = 800;
const DIGIT_MS = 400;

/** How long {@link CallerScenario.keys} takes. */
export function keyingMs(digits: string): number {
  return FILLER_MS + digits.length * DIGIT_MS;
}

export class CallerScenario {
  readonly #target: string;
  readonly #options: CallerScenarioOptions;
  readonly #steps: string[] = [];
  /** The files that the scenario plays, by name. */
  readonly files: Record<string, Buffer> = {};
  #cseq = 1;

  constructor(target: string, options: CallerScenarioOptions = {}) {
    this.#target = target;
    this.#options = options;
  }

  get xml(): string {
    return scenario('caller', this.#steps);
  }

  /** @param codecs of the offer; null for none */
  invites(codecs: Codecs | null = '0 96'): this {
    const allow = this.#options.takesRefer === false ? ALLOW : `${ALLOW}, REFER`;
    const headers = [CONTACT, `Allow: ${allow}`, ...(this.#options.headers ?? [])];
    const request = this.#request('INVITE', { headers, body: codecs === null ? null : sdpBody(codecs) });
    return this.#add(send(request, true));
  }

  /** Cancels the INVITE, which may have no answer yet. */
  cancels(): this {
    return this.#add(send(this.#request('CANCEL', { cseq: 1 }), true));
  }

  isTrying(): this {
    return this.#add('<recv response="100"/>');
  }

  /** The CANCEL's 200 and the INVITE's 487, in any order, and the ACK. */
  isCanceled(): this {
    return this.#add(
      '<recv response="100" optional="true"/>',
      '<recv response="200"/>',
      '<recv response="487"/>',
      send(this.#request('ACK', { cseq: 1, to: '[last_To:]', branch: INVITE_BRANCH }), false),
    );
  }

  /** 200 and ACK. @param codecs of an answer in the ACK, for an offer in the 200 */
  isAnswered(codecs: Codecs | null = null): this {
    this.#add('<recv response="100" optional="true"/>', '<recv response="200" rrs="true"/>');
    return this.acknowledges(codecs);
  }

  /** A 200 that this caller never acknowledges. */
  leavesTheAnswerUnacknowledged(): this {
    return this.#add('<recv response="100" optional="true"/>', '<recv response="200"/>');
  }

  acknowledges(codecs: Codecs | null = null): this {
    const body = codecs === null ? null : sdpBody(codecs);
    return this.#add(send(this.#inDialog('ACK', { cseq: 1, body }), false));
  }

  /** 200, and a CANCEL that comes too late: the call is live and ends with a BYE. */
  cancelsTooLate(): this {
    return this.#add(
      '<recv response="100" optional="true"/>',
      '<recv response="200" rrs="true"/>',
      send(this.#request('CANCEL', { cseq: 1 }), false),
      // The transaction ended with its 200 (RFC 3261, 17.2.1), or is still known.
      '<recv response="200" optional="true" next="1"/>',
      '<recv response="481"/>',
      '<label id="1"/>',
    )
      .acknowledges()
      .#add(send(this.#inDialog('BYE'), true), '<recv response="200" optional="true" next="2"/>')
      .#add('<recv response="481"/>', '<label id="2"/>');
  }

  /** A final refusal and its ACK. */
  isRefused(status: number): this {
    return this.#add(
      '<recv response="100" optional="true"/>',
      `<recv response="${status}"/>`,
      send(this.#request('ACK', { cseq: 1, to: '[last_To:]', branch: INVITE_BRANCH }), false),
    );
  }

  /** Sends digits as telephone events in the background, for {@link keyingMs}. */
  keys(digits: string): this {
    return this.#add(media(`play_dtmf="${digits}"`));
  }

  /** Sends digits and then waits while the line speaks. */
  keysAndListens(digits: string, milliseconds: number): this {
    return this.keys(digits).pauses(keyingMs(digits) + milliseconds);
  }

  /** Sends silent RTP in the background. */
  isQuiet(seconds: number, payloadType: PayloadType = 0): this {
    const name = `silence-${payloadType}-${seconds}.pcap`;
    this.files[name] ??= silence(seconds, payloadType);
    return this.#add(media(`play_pcap_audio="${name}"`));
  }

  pauses(milliseconds: number): this {
    return this.#add(pause(milliseconds));
  }

  /** A REFER, answered with `status`. */
  isReferred(status = '202 Accepted'): this {
    return this.#add('<recv request="REFER"/>', answer(status, [CONTACT]));
  }

  /**
   * Reports the result of the referred call by NOTIFY (RFC 3515, 2.4.4). A busy line may repeat its REFER before it reads
   * the answer, and SIPp recognizes no repetition of a request once it has sent two messages.
   */
  notifies(sipfrag: string): this {
    const state = sipfrag.startsWith('1') ? 'active;expires=60' : 'terminated;reason=noresource';
    const headers = [CONTACT, 'Event: refer', `Subscription-State: ${state}`];
    const body = { type: 'message/sipfrag;version=2.0', text: `SIP/2.0 ${sipfrag}` };
    const repeated = String(this.#steps.length + 1);
    return this.#add(
      send(this.#inDialog('NOTIFY', { headers, body }), true),
      `<label id="${repeated}"/><recv request="REFER" optional="true" next="${repeated}"/>`,
      '<recv response="200"/>',
    );
  }

  isHungUpOn(): this {
    return this.#add('<recv request="BYE"/>', answer('200 OK'));
  }

  hangsUp(): this {
    return this.#add(send(this.#inDialog('BYE'), true), '<recv response="200"/>');
  }

  #add(...steps: string[]): this {
    this.#steps.push(...steps);
    return this;
  }

  #inDialog(method: string, extra: { cseq?: number; headers?: readonly string[]; body?: Body | null } = {}): string {
    const cseq = extra.cseq ?? ++this.#cseq;
    const to = `To: <${this.#target}>[peer_tag_param]`;
    return this.#request(method, { ...extra, cseq, to, uri: '[next_url]', branch: '[branch]' });
  }

  #request(method: string, parts: RequestParts): string {
    const { cseq = 1, uri = this.#target, to = `To: <${this.#target}>`, branch = INVITE_BRANCH } = parts;
    const head = [
      `Via: SIP/2.0/[transport] [local_ip]:[local_port];rport;branch=${branch}`,
      `From: <sip:${this.#options.number ?? '+15550101234'}@[local_ip]:[local_port]>;tag=caller-[pid]-[call_number]`,
      to,
      'Call-ID: [call_id]',
      `CSeq: ${cseq} ${method}`,
      'Max-Forwards: 70',
    ];
    return message(`${method} ${uri} SIP/2.0`, [...head, ...(parts.headers ?? [])], parts.body ?? null);
  }
}

interface RequestParts {
  cseq?: number;
  uri?: string;
  /** The whole header. */
  to?: string;
  branch?: string;
  headers?: readonly string[];
  body?: Body | null;
}

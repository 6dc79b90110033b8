/** Builds SIPp scenarios of a voice agent that waits at `return_to` for the bridged call. */
import { answer, message, pause, scenario, sdpBody, send } from './xml.ts';

const CONTACT = 'Contact: <sip:agent@[local_ip]:[local_port]>';
const TAG = 'agent-[pid]-[call_number]';
const TAGGED = ['[last_Via:]', '[last_From:]', `[last_To:];tag=${TAG}`, '[last_Call-ID:]', '[last_CSeq:]'];

/** SIPp does not store the caller's tag: the whole From is kept, for the To of a BYE. */
const INVITED = [
  '<recv request="INVITE" rrs="true"><action>',
  '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>',
  '</action></recv>',
  '<Reference variables="from"/>',
].join('');

export class AgentScenario {
  readonly #steps: string[] = [INVITED];

  get xml(): string {
    return scenario('agent', this.#steps);
  }

  rings(milliseconds: number): this {
    return this.#add(send(message('SIP/2.0 180 Ringing', [...TAGGED, CONTACT]), false), pause(milliseconds));
  }

  answers(): this {
    const accepted = message('SIP/2.0 200 OK', [...TAGGED, CONTACT, 'Allow: INVITE, ACK, BYE'], sdpBody('0 96'));
    return this.#add(send(accepted, true), '<recv request="ACK"/>');
  }

  refuses(status: string): this {
    return this.#add(send(message(`SIP/2.0 ${status}`, TAGGED), true), '<recv request="ACK"/>');
  }

  /** CANCEL while it rings. */
  isCanceled(): this {
    const gone = message(
      'SIP/2.0 487 Request Terminated',
      TAGGED.map((line) => line.replace('[last_CSeq:]', 'CSeq: [cseq] INVITE')),
    );
    return this.#add('<recv request="CANCEL"/>', answer('200 OK'), send(gone, true), '<recv request="ACK"/>');
  }

  talks(milliseconds: number): this {
    return this.#add(pause(milliseconds));
  }

  hangsUp(): this {
    const bye = message('BYE [next_url] SIP/2.0', [
      'Via: SIP/2.0/[transport] [local_ip]:[local_port];rport;branch=[branch]',
      `From: <sip:agent@[local_ip]:[local_port]>;tag=${TAG}`,
      'To: [$from]',
      'Call-ID: [call_id]',
      'CSeq: 1 BYE',
      'Max-Forwards: 70',
    ]);
    return this.#add(send(bye, true), '<recv response="200"/>');
  }

  isHungUpOn(): this {
    return this.#add('<recv request="BYE"/>', answer('200 OK'));
  }

  #add(...steps: string[]): this {
    this.#steps.push(...steps);
    return this;
  }
}

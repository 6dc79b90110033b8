/**
 * The first line of each message to an application: source, length, protocol, address, port, time, transaction and
 * dialog.
 */
import type { Peer } from '../sip/index.ts';

/** One message with its peer. */
export interface About {
  source: 'network' | 'application';
  /** The SIP message as text. */
  text: string;
  /** Empty if drachtio-server leaves it out. */
  protocol: string;
  address: string;
  port: number | string;
}

/** A message received from `peer`. */
export function fromNetwork(text: string, peer: Peer): About {
  return { source: 'network', text, protocol: peer.transport, address: peer.address, port: peer.port };
}

/** `source|bytes|protocol|address|port|time`. */
function common({ source, text, protocol, address, port }: About): string {
  return [source, Buffer.byteLength(text), protocol, address, port, timeOfDay(new Date())].join('|');
}

/** UTC with microseconds, as su_time prints it. */
function timeOfDay(now: Date): string {
  return `${now.toISOString().slice(11, 23)}000`;
}

/** A request or response for the application; in a dialog if `dialogId` is not empty. */
export function sipLine(about: About, transactionId: string, dialogId: string): string {
  return `sip|${common(about)}|${transactionId}|${dialogId}|\r\n${about.text}`;
}

/** A new request, with the address it was received on. */
export function newRequestLine(about: About, transactionId: string, receivedOn: string): string {
  const [host = '', port = ''] = splitHostPort(receivedOn);
  return `sip|${common(about)}|${transactionId}||${host}|${port}|\r\n${about.text}`;
}

/** Echoes a request that the application sent. */
export function requestSent(about: About, transactionId: string): string {
  return `OK|${common(about)}|${transactionId}|Msg sent:|\r\n${about.text}`;
}

/** Echoes a response that the application sent. */
export function responseSent(about: About, transactionId: string, dialogId: string): string {
  return `OK|${common(about)}|${transactionId}|${dialogId}||Msg sent:|\r\n${about.text}`;
}

/** Splits `host:port`; the host may be an IPv6 literal in brackets. */
export function splitHostPort(hostPort: string): [string, string] {
  const colon = hostPort.lastIndexOf(':');
  return [hostPort.slice(0, colon), hostPort.slice(colon + 1)];
}

/** The public exports of the SIP core. */
export { createSipAgent, SipAgent } from './agent.ts';
export type { ClientTransaction } from './client-transaction.ts';
export type { Dialog } from './dialog.ts';
export { cseqOf, headerList, headerValue, isRequest, isResponse, parseMessage, serialize } from './message.ts';
export { REASONS } from './reasons.ts';
export type { ServerTransaction } from './server-transaction.ts';
export { RFC3261_TIMERS } from './timers.ts';
export type * from './types.ts';
export { type NameAddr, parseNameAddr, parseSipUri, parseVia, type SipUri, tagOf, withoutParams } from './uri.ts';

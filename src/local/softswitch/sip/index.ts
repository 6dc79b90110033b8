/** The public exports of the SIP core. */
export { createSipAgent, SipAgent } from './agent.ts';
export type { ClientTransaction } from './client-transaction.ts';
export type { Dialog } from './dialog.ts';
export { cseqOf, headerList, headerValue, isRequest, parseMessage, serialize } from './message.ts';

export type { ServerTransaction } from './server-transaction.ts';

export type * from './types.ts';
export { parseNameAddr, parseSipUri, parseVia, tagOf } from './uri.ts';

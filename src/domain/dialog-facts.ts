/** A SIP dialog as one side knows it: with these another process, or another SIP server, sends requests in it. */
export interface DialogFacts {
  callId: string;
  /** From and To of our requests, with their tags. */
  from: string;
  to: string;
  /** The URI of their Contact. */
  target: string;
  /** In the order in which our requests pass them. */
  routes: string[];
  /** Our Contact. */
  contact: string;
}

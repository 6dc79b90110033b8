/** A SIP dialog as one side sees it. With these fields, another process or SIP server can send requests in it. */
export interface DialogFacts {
  callId: string;
  /** From and To of our requests, with their tags. */
  from: string;
  to: string;
  /** The URI of the other side's Contact. */
  target: string;
  /** In the order in which our requests pass them. */
  routes: string[];
  /** Our Contact. */
  contact: string;
}

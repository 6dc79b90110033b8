/** The mailer port. Adapters: SMTP, and the log. */

export interface Email {
  /** Ours, `eml_…`. The message ID derives from it, so that a mailbox shows a repeated one once. */
  id: string;
  to: string;
  /** The sender's display name. */
  fromName: string;
  /** Where a reply goes; null: to the sender. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
}

/** `refused`: for good. `unavailable`: not now. With the server's code, or the code of the connection's failure. */
export type MailAnswer = { status: 'sent' } | { status: 'refused' | 'unavailable'; code: string };

export interface Mailer {
  /** Never throws. */
  send(email: Email): Promise<MailAnswer>;
  close(): void;
}

/** Sends emails by SMTP (RFC 5321), by nodemailer. */
import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';
import type { MailAnswer, Mailer } from '../ports.ts';

const CONNECT_LIMIT_MS = 10_000;
/** Of silence. */
const ANSWER_LIMIT_MS = 30_000;

interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…`, whose connection is upgraded by STARTTLS (RFC 3207). */
  url: string;
  /** The sender's address. */
  from: string;
}

/** A server on another machine must offer TLS: passwords and receipts are not sent in the clear. */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const { hostname, protocol } = new URL(url);
  const transport = createTransport({
    url,
    pool: true,
    requireTLS: protocol === 'smtp:' && !isLoopbackHost(hostname),
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: ANSWER_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, fromName, replyTo, subject, text, html }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: { name: fromName, address: from },
          to: { name: '', address: to },
          ...(replyTo !== null && { replyTo: { name: fromName, address: replyTo } }),
          subject,
          text,
          html,
          // RFC 3834: automatic replies are not wanted.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { status: 'sent' };
      } catch (error) {
        return answerOf(error as { code?: string; responseCode?: number; command?: string });
      }
    },
    close: () => transport.close(),
  };
}

/** A 5xx reply to this message (RFC 5321, 4.2.1) is final. One to the sign-in is our setting, which can be corrected. */
function answerOf({ code, responseCode }: { code?: string; responseCode?: number }): MailAnswer {
  const reply = responseCode === undefined ? (code ?? 'error') : String(responseCode);
  const isFinal = code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
  return { status: isFinal ? 'refused' : 'unavailable', code: reply };
}

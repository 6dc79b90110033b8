/** The mailer of test mode: writes to the log that an email would be sent, and sends none. */
import type { BaseLogger } from 'pino';
import type { Mailer } from '../ports.ts';

/** @param showsWords in the demo, whose emails are fictional */
export function createLogMailer(log: Pick<BaseLogger, 'info'>, showsWords: boolean): Mailer {
  return {
    async send({ id, to, subject, text }) {
      if (showsWords) log.info({ emailId: id, to, subject, text }, 'email');
      else log.info({ emailId: id }, 'email not sent: test mode');
      return { status: 'sent' };
    },
    close: () => undefined,
  };
}

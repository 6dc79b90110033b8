/** The carrier of test mode, and of a service without a carrier: writes texts to the log and sends none. */
import type { BaseLogger } from 'pino';
import type { SmsCarrier } from '../ports.ts';

/** Pay links stay out of logs, even in a demo: `/demo/texts` shows them. */
const PAY_LINK = /\/p\/[a-z2-9]{12}(?= )/g;

/** @param showsBodies in the demo, whose texts are fictional and whose operator reads the log instead of a phone */
export function createLogCarrier(log: Pick<BaseLogger, 'info'>, showsBodies: boolean): SmsCarrier {
  return {
    name: 'log',
    async send({ id, kind, to, body }) {
      // Codes stay out of the log: `/demo/texts` shows them.
      if (showsBodies && kind !== 'page_code')
        log.info({ textId: id, to, text: body.replace(PAY_LINK, '/p/…') }, 'text message');
      else log.info({ textId: id, kind }, 'text message not sent: no carrier');
      return { status: 'accepted', carrierMessageId: null };
    },
    async find() {
      return { status: 'not_found' };
    },
  };
}

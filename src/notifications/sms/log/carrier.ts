/** The carrier of test mode, and of a service without another: writes texts to the log and sends none. */
import type { BaseLogger } from 'pino';
import type { SmsCarrier } from '../ports.ts';

/** The way to pay stays out of logs, also of a demo's: `/demo/texts` has it. */
const PAY_LINK = /\/p\/[a-z2-9]{12}(?= )/g;

/** @param showsBodies in the demo, whose texts are made up and whose log the operator reads in the caller's place */
export function createLogCarrier(log: Pick<BaseLogger, 'info'>, showsBodies: boolean): SmsCarrier {
  return {
    name: 'log',
    async send({ id, kind, to, body }) {
      // A code is not shown: `/demo/texts` has it.
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

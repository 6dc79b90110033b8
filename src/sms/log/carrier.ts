/** A carrier that texts nobody: test mode's, and that of a service without another. */
import type { BaseLogger } from 'pino';
import type { SmsCarrier } from '../ports.ts';

/** @param showsBodies in the demo, where the texts are made up and the log is read by who plays the caller */
export function createLogCarrier(log: Pick<BaseLogger, 'info'>, showsBodies: boolean): SmsCarrier {
  return {
    name: 'log',
    async send({ id, kind, to, body }) {
      if (showsBodies) log.info({ textId: id, to, text: body }, 'text message');
      else log.info({ textId: id, kind }, 'text message, not sent: no carrier');
      return { status: 'accepted', carrierMessageId: null };
    },
    async find() {
      return { status: 'not_found' };
    },
  };
}

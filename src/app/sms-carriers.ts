/** The SMS carriers: the one that the settings name, and the log. */
import type { BaseLogger } from 'pino';
import type { Config } from '../config/settings.ts';
import { createLogCarrier } from '../notifications/sms/log/carrier.ts';
import type { SmsCarrier } from '../notifications/sms/ports.ts';
import { createTelnyx } from '../notifications/sms/telnyx/carrier.ts';
import { createTwilio } from '../notifications/sms/twilio/carrier.ts';

/** `live` is the carrier of the settings. `test` sends nothing, for callers in test mode may be real people. */
export function carriersOf(config: Config, log: Pick<BaseLogger, 'info'>): Record<'live' | 'test', SmsCarrier> {
  const test = createLogCarrier(log, config.RINGKEY_DEMO);
  const from = config.RINGKEY_SMS_FROM ?? '';
  const base = config.RINGKEY_PUBLIC_URL;
  // With our id, for a report may come before the carrier's own id is in the database.
  const reports = (path: string) =>
    base === undefined ? {} : { statusUrl: (textId: string) => `${base}/hooks/sms/${path}?text=${textId}` };
  switch (config.RINGKEY_SMS) {
    case 'log':
      return { test, live: createLogCarrier(log, false) };
    case 'twilio': {
      const { TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '' } = config;
      return { test, live: createTwilio({ accountSid, authToken, from, ...reports('twilio/status') }) };
    }
    case 'telnyx':
      return { test, live: createTelnyx({ apiKey: config.TELNYX_API_KEY ?? '', from, ...reports('telnyx') }) };
  }
}

/** Screening of callers: the number look-up that the settings name, and who is asked for attestations. */
import { type Config, numberLookupOf } from '../config.ts';
import type { Mode } from '../domain/session.ts';
import type { AttestationSource, NumberLookup } from '../screening/ports.ts';
import { createSandboxLookup } from '../screening/sandbox/lookup.ts';
import { openScreening, type Screening } from '../screening/screening.ts';
import { createTelnyxLookup } from '../screening/telnyx/lookup.ts';
import { createTwilioLookup } from '../screening/twilio/lookup.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';

/** Ends after the REST surface, with what its requests began. */
export function startScreening({ config, database, lifecycle, metrics }: Infrastructure): Screening {
  const limitMs = config.RINGKEY_NUMBER_LOOKUP_SECONDS * 1_000;
  const screening = openScreening({
    sql: database,
    lookups: numberLookupsOf(config),
    attestations: attestationSources(),
    limitMs,
    onCheck: metrics.screening,
  });
  lifecycle.add('screening', limitMs + CLOSE_LIMIT_MS, () => screening.drain(limitMs));
  return screening;
}

/** `live` is the vendor of the settings. `test` asks nobody, for callers in test mode may be real people. */
export function numberLookupsOf(config: Config): Record<Mode, NumberLookup | null> {
  const test = createSandboxLookup();
  switch (numberLookupOf(config)) {
    case 'off':
      return { test: null, live: null };
    // What it says of a number is made up: no live caller is judged by it.
    case 'sandbox':
      return { test, live: null };
    case 'telnyx':
      return { test, live: createTelnyxLookup({ apiKey: config.TELNYX_API_KEY ?? '' }) };
    case 'twilio': {
      const { TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '' } = config;
      return { test, live: createTwilioLookup({ accountSid, authToken }) };
    }
  }
}

function attestationSources(): Record<Mode, readonly AttestationSource[]> {
  return { test: [], live: [] };
}

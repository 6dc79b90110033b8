/**
 * Twilio's Lookup v2 (https://www.twilio.com/docs/lookup/v2-api) with its packages SIM Swap
 * (https://www.twilio.com/docs/lookup/v2-api/sim-swap) and Line Type Intelligence
 * (https://www.twilio.com/docs/lookup/v2-api/line-type-intelligence). Each package has an error code of its own: one
 * that failed, such as 60620 (the carrier said too little, https://www.twilio.com/docs/api/errors/60620), leaves the
 * other as it is.
 */
import { z } from 'zod';
import { type LineType, type LookupNote, type NumberFacts, type PortCheck, recencyOf } from '../../domain/screening.ts';
import type { NumberLookup } from '../ports.ts';
import { askVendor, carrierName, NOT_COVERED } from '../vendor-request.ts';

interface TwilioLookupOptions {
  accountSid: string;
  authToken: string;
  now?: () => Date;
  baseUrl?: string;
}

const ErrorCode = z.number().nullish();
const Swap = z.object({
  /** ISO 8601; null in countries whose carriers do not report it. */
  last_sim_swap_date: z.string().nullish(),
  /** ISO 8601 duration, such as `PT24H`: since the date, or what was agreed with Twilio for the country. */
  swapped_period: z.string().nullish(),
  swapped_in_period: z.boolean().nullish(),
});
const Found = z.object({
  phone_number: z.string(),
  valid: z.boolean(),
  sim_swap: z
    .object({ last_sim_swap: Swap.nullish(), carrier_name: z.string().nullish(), error_code: ErrorCode })
    .nullish(),
  line_type_intelligence: z
    .object({ type: z.string().nullish(), carrier_name: z.string().nullish(), error_code: ErrorCode })
    .nullish(),
});
const NotFound = z.object({ code: z.number(), status: z.number() });

const LINE_TYPES: Readonly<Record<string, LineType>> = {
  mobile: 'mobile',
  landline: 'landline',
  fixedVoip: 'voip',
  nonFixedVoip: 'voip',
  tollFree: 'toll_free',
  unknown: 'unknown',
};

export function createTwilioLookup(options: TwilioLookupOptions): NumberLookup {
  const { accountSid, authToken, now = () => new Date(), baseUrl = 'https://lookups.twilio.com' } = options;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    name: 'twilio',
    async lookUp(number, signal) {
      const url = `${baseUrl}/v2/PhoneNumbers/${encodeURIComponent(number)}?Fields=sim_swap,line_type_intelligence`;
      const answer = await askVendor(url, authorization, signal);
      if ('failure' in answer) return { status: 'failed', failure: answer.failure };
      if (answer.status !== 200 && NotFound.safeParse(answer.json).success)
        return { status: 'answered', facts: NOT_COVERED };
      const found = Found.safeParse(answer.status === 200 ? answer.json : null).data;
      // Another number's facts are worse than none.
      if (found?.phone_number !== number) return { status: 'failed', failure: 'number_lookup_unreadable' };
      return { status: 'answered', facts: found.valid ? factsOf(found, now()) : NOT_COVERED };
    },
  };
}

function factsOf({ sim_swap: sim, line_type_intelligence: line }: z.infer<typeof Found>, now: Date): NumberFacts {
  const swap = hasFailed(sim) ? UNAVAILABLE : swapOf(sim?.last_sim_swap ?? null, now);
  const type = hasFailed(line) ? '' : (line?.type ?? '');
  const lineType = type === '' ? 'unknown' : (LINE_TYPES[type] ?? 'other');
  const carrier = carrierName(line?.carrier_name) ?? carrierName(sim?.carrier_name);
  const notes: LookupNote[] = [...swap.notes, ...(lineType === 'unknown' ? (['line_type_unavailable'] as const) : [])];
  return { portCheck: swap.check, lineType, carrier, notes };
}

const hasFailed = (pack: { error_code?: number | null | undefined } | null | undefined) => pack?.error_code != null;

interface SwapCheck {
  check: PortCheck;
  notes: LookupNote[];
}

const UNAVAILABLE: SwapCheck = { check: 'unknown', notes: ['sim_swap_unavailable'] };

/**
 * The date decides, if there is one. Otherwise a yes counts for a period of up to seven days, a no for seven days or
 * more.
 */
function swapOf(swap: z.infer<typeof Swap> | null, now: Date): SwapCheck {
  if (swap?.last_sim_swap_date != null) {
    const recency = recencyOf(swap.last_sim_swap_date, now);
    if (recency === 'recent') return { check: 'swapped', notes: [] };
    if (recency === 'earlier') return { check: 'clear', notes: [] };
    return { check: 'unknown', notes: [recency === 'in_future' ? 'port_date_in_future' : 'port_date_missing'] };
  }
  const days = daysOf(swap?.swapped_period ?? '');
  const isSwapped = swap?.swapped_in_period ?? null;
  if (days === null || isSwapped === null) return UNAVAILABLE;
  if (isSwapped && days <= 7) return { check: 'swapped', notes: [] };
  if (!isSwapped && days >= 7) return { check: 'clear', notes: [] };
  return { check: 'unknown', notes: ['sim_swap_period_differs'] };
}

/** The days of an ISO 8601 duration in weeks, days, hours, minutes and seconds; null for others. */
function daysOf(text: string): number | null {
  const match = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (match === null) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return weeks * 7 + days + hours / 24 + minutes / 1_440 + seconds / 86_400;
}

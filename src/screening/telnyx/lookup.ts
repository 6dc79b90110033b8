/**
 * Telnyx Number Lookup (https://developers.telnyx.com/api-reference/number-lookup/lookup-phone-number-data).
 * Portability is included for North American numbers only. Canadian numbers return 422 unless Telnyx has enabled them
 * (https://developers.telnyx.com/docs/identity/number-lookup/index). It reports ports, not SIM swaps.
 */
import { z } from 'zod';
import { type LineType, type LookupNote, type NumberFacts, type PortCheck, recencyOf } from '../../domain/screening.ts';
import type { NumberLookup } from '../ports.ts';
import { askVendor, carrierName, NOT_COVERED } from '../vendor-request.ts';

interface TelnyxLookupOptions {
  apiKey: string;
  now?: () => Date;
  baseUrl?: string;
}

const Found = z.object({
  data: z.object({
    phone_number: z.string(),
    carrier: z.object({ name: z.string().nullish(), type: z.string().nullish() }).nullish(),
    portability: z
      .object({ ported_status: z.enum(['Y', 'N', '']).nullish(), ported_date: z.string().nullish() })
      .nullish(),
  }),
});
const NotFound = z.object({ errors: z.array(z.object({ code: z.coerce.string() })).min(1) });

const LINE_TYPES: Readonly<Record<string, LineType>> = {
  mobile: 'mobile',
  'fixed line or mobile': 'other',
  'fixed line': 'landline',
  voip: 'voip',
  'toll free': 'toll_free',
  unknown: 'unknown',
};

export function createTelnyxLookup(options: TelnyxLookupOptions): NumberLookup {
  const { apiKey, now = () => new Date(), baseUrl = 'https://api.telnyx.com' } = options;
  return {
    name: 'telnyx',
    async lookUp(number, signal) {
      const url = `${baseUrl}/v2/number_lookup/${encodeURIComponent(number)}?type=carrier`;
      const answer = await askVendor(url, `Bearer ${apiKey}`, signal);
      if ('failure' in answer) return { status: 'failed', failure: answer.failure };
      if (answer.status !== 200 && NotFound.safeParse(answer.json).success)
        return { status: 'answered', facts: NOT_COVERED };
      const found = Found.safeParse(answer.status === 200 ? answer.json : null).data?.data;
      // Another number's facts are worse than none.
      if (found?.phone_number !== number) return { status: 'failed', failure: 'number_lookup_unreadable' };
      return { status: 'answered', facts: factsOf(found, now()) };
    },
  };
}

function factsOf({ carrier, portability }: z.infer<typeof Found>['data'], now: Date): NumberFacts {
  const port = portOf(portability ?? null, now);
  const type = carrier?.type ?? '';
  const lineType = type === '' ? 'unknown' : (LINE_TYPES[type] ?? 'other');
  const notes: LookupNote[] = [...port.notes, ...(lineType === 'unknown' ? (['line_type_unavailable'] as const) : [])];
  return { portCheck: port.check, lineType, carrier: carrierName(carrier?.name), notes };
}

type Portability = NonNullable<z.infer<typeof Found>['data']['portability']>;

/** @param portability null for numbers outside North America */
function portOf(portability: Portability | null, now: Date): { check: PortCheck; notes: LookupNote[] } {
  const status = portability?.ported_status ?? '';
  const date = portability?.ported_date ?? '';
  if (status === 'N') return { check: 'clear', notes: [] };
  if (status === '' && date === '') return { check: 'unknown', notes: ['number_not_covered'] };
  switch (recencyOf(date, now)) {
    case 'recent':
      return { check: 'ported', notes: [] };
    case 'earlier':
      return { check: 'clear', notes: [] };
    case 'in_future':
      return { check: 'unknown', notes: ['port_date_in_future'] };
    case 'unreadable':
      return { check: 'unknown', notes: ['port_date_missing'] };
  }
}

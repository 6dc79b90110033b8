/**
 * Fakes of the vendors of number lookups, in the wire format of their published references. Strict: a request that the
 * vendor would refuse is a violation.
 */
import {
  type FakeVendorServer,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

/** A number in a vendor's database. */
interface NumberAtVendor {
  /** When the number was ported or its SIM swapped, in the vendor's format; null: never; '': at an unknown time. */
  changed: string | null;
  /** In the vendor's words. */
  lineType: string;
  carrier: string;
}

export interface FakeLookups extends FakeVendorServer {
  numbers: Map<string, NumberAtVendor>;
  violations: string[];
}

export const TELNYX_KEY = 'KEY0123456789ABCDEF_lookup';
export const TWILIO_LOGIN = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'f'.repeat(32) };

async function start(
  answer: (request: VendorRequest, numbers: FakeLookups['numbers']) => VendorReply,
  violation: (request: VendorRequest) => string | null,
): Promise<FakeLookups> {
  const numbers: FakeLookups['numbers'] = new Map();
  const violations: string[] = [];
  const server = await startFakeVendorServer((request) => {
    const wrong = violation(request);
    if (wrong !== null) violations.push(wrong);
    return answer(request, numbers);
  });
  return { ...server, numbers, violations };
}

function violationOf(path: RegExp, expected: Record<string, string>, authorization: string) {
  return ({ method, path: requestPath, query, headers, body }: VendorRequest): string | null => {
    if (method !== 'GET' || body !== '') return `${method} with ${body.length} bytes`;
    if (!path.test(requestPath)) return `path ${requestPath}`;
    if (query.toString() !== new URLSearchParams(expected).toString()) return `query ${query.toString()}`;
    return headers.authorization === authorization ? null : 'authorization';
  };
}

/** The number in a path: E.164, with its plus encoded. */
const numberIn = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '');

/** https://developers.telnyx.com/api-reference/number-lookup/lookup-phone-number-data */
export function startFakeTelnyxLookup(): Promise<FakeLookups> {
  const error = (status: number, code: string, title: string) => ({
    status,
    body: { errors: [{ code, title, detail: title }] },
  });
  return start(
    ({ path, headers }, numbers) => {
      if (headers.authorization !== `Bearer ${TELNYX_KEY}`) return error(401, '10009', 'Authentication failed');
      const phone_number = numberIn(path);
      const known = numbers.get(phone_number);
      if (known === undefined) return error(422, '10015', `${phone_number} is a Canadian number`);
      const { changed, lineType: type, carrier: name } = known;
      const ported = { ported_status: changed === null ? 'N' : 'Y', ported_date: changed ?? '' };
      return { status: 200, body: { data: telnyxNumber(phone_number, { name, type }, ported) } };
    },
    violationOf(/^\/v2\/number_lookup\/%2B\d{8,15}$/, { type: 'carrier' }, `Bearer ${TELNYX_KEY}`),
  );
}

export function telnyxNumber(phone_number: string, carrier: { name: string; type: string }, ported: object | null) {
  const more = { mobile_country_code: '310', mobile_network_code: '160', error_code: null, normalized_carrier: '' };
  const spid = { spid: '6214', spid_carrier_name: carrier.name, spid_carrier_type: '2', altspid: '', lrn: '', ocn: '' };
  return {
    record_type: 'number_lookup',
    country_code: 'US',
    national_format: '(555) 010-1234',
    phone_number,
    valid_number: true,
    fraud: null,
    caller_name: null,
    carrier: { ...more, ...carrier },
    portability: ported === null ? null : { ...spid, city: '', state: '', line_type: carrier.type, ...ported },
  };
}

/** https://www.twilio.com/docs/lookup/v2-api/sim-swap, …/line-type-intelligence */
export function startFakeTwilioLookup(): Promise<FakeLookups> {
  const authorization = `Basic ${Buffer.from(`${TWILIO_LOGIN.accountSid}:${TWILIO_LOGIN.authToken}`).toString('base64')}`;
  const error = (status: number, code: number, message: string) => ({
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  });
  return start(
    ({ path, headers }, numbers) => {
      if (headers.authorization !== authorization) return error(401, 20003, 'Authenticate');
      const phone_number = numberIn(path);
      const known = numbers.get(phone_number);
      if (known === undefined) return error(404, 20404, 'The requested resource was not found');
      const { changed, lineType: type, carrier: carrier_name } = known;
      const swap = {
        last_sim_swap_date: changed === '' ? null : (changed ?? '2019-03-01T10:18:50Z'),
        swapped_period: null,
        swapped_in_period: changed === '' ? null : true,
      };
      const network = { carrier_name, mobile_country_code: '310', mobile_network_code: '160', error_code: null };
      const packs = { sim_swap: { last_sim_swap: swap, ...network }, line_type_intelligence: { type, ...network } };
      return { status: 200, body: twilioNumber(phone_number, packs) };
    },
    violationOf(/^\/v2\/PhoneNumbers\/%2B\d{8,15}$/, { Fields: 'sim_swap,line_type_intelligence' }, authorization),
  );
}

export function twilioNumber(
  phone_number: string,
  packs: { sim_swap: object | null; line_type_intelligence: object | null },
) {
  return {
    calling_country_code: '1',
    country_code: 'US',
    phone_number,
    national_format: '(555) 010-1234',
    valid: true,
    validation_errors: [],
    caller_name: null,
    call_forwarding: null,
    line_status: null,
    identity_match: null,
    reassigned_number: null,
    sms_pumping_risk: null,
    ...packs,
    url: `https://lookups.twilio.com/v2/PhoneNumbers/${phone_number}`,
  };
}

/** The sandbox's test numbers, one for each result of a lookup. All other numbers are clear. */
import type { LookupFailure, LookupNote, NumberFacts } from '../../domain/screening.ts';

export interface TestNumber {
  /** E.164. */
  number: string;
  /** For the documentation. */
  what: string;
  /** `silent`: no answer until the time limit. `late`: the facts come after this many seconds. */
  behaves:
    | { kind: 'facts'; facts: NumberFacts }
    | { kind: 'late'; facts: NumberFacts; seconds: number }
    | { kind: 'failure'; failure: LookupFailure }
    | { kind: 'silent' };
}

export const CLEAR_NUMBER: NumberFacts = {
  portCheck: 'clear',
  lineType: 'mobile',
  carrier: 'Sandbox Wireless',
  notes: [],
};
const UNKNOWN: NumberFacts = { portCheck: 'unknown', lineType: 'unknown', carrier: null, notes: [] };

const facts = (changes: Partial<NumberFacts>, of = CLEAR_NUMBER) =>
  ({ kind: 'facts', facts: { ...of, ...changes } }) as const;
const noted = (note: LookupNote, of = CLEAR_NUMBER) => facts({ portCheck: 'unknown', notes: [note] }, of);

export const TEST_NUMBERS: readonly TestNumber[] = [
  { number: '+15550107001', what: 'Ported within seven days', behaves: facts({ portCheck: 'ported' }) },
  { number: '+15550107002', what: 'SIM swapped within seven days', behaves: facts({ portCheck: 'swapped' }) },
  {
    number: '+15550107003',
    what: 'Ported within seven days; the lookup takes two seconds, so that `create_checkout` does not wait for it',
    behaves: { kind: 'late', facts: { ...CLEAR_NUMBER, portCheck: 'ported' }, seconds: 2 },
  },
  {
    number: '+15550107004',
    what: 'A landline, clear',
    behaves: facts({ lineType: 'landline', carrier: 'Sandbox Bell' }),
  },
  {
    number: '+15550107005',
    what: 'A VoIP number, clear',
    behaves: facts({ lineType: 'voip', carrier: 'Sandbox Voice' }),
  },
  {
    number: '+15550107006',
    what: 'Not covered, as numbers of some countries are: note `number_not_covered`',
    behaves: noted('number_not_covered', UNKNOWN),
  },
  {
    number: '+15550107007',
    what: 'Ported, without a date: note `port_date_missing`',
    behaves: noted('port_date_missing'),
  },
  {
    number: '+15550107008',
    what: 'The carrier does not say whether the SIM was swapped: note `sim_swap_unavailable`',
    behaves: noted('sim_swap_unavailable'),
  },
  {
    number: '+15550107009',
    what: 'The lookup fails: note `number_lookup_unavailable`',
    behaves: { kind: 'failure', failure: 'number_lookup_unavailable' },
  },
  {
    number: '+15550107010',
    what: 'The lookup does not answer: note `number_lookup_timed_out` after the time limit',
    behaves: { kind: 'silent' },
  },
];

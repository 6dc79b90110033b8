import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ASKED_FIELDS } from '../../../domain/call.ts';
import { DECLINE_CODES } from '../../../domain/charge.ts';
import { stepWords } from './step-words.ts';

it.each([
  ['invite', 'Call: The call started'],
  ['say greeting', 'Line: Greets the caller and says the amount'],
  ['say ask expiry 1', 'Line: Asks for the expiry date'],
  ['say ask card_number 2 looks_wrong', 'Line: Asks again for the card number: it looked invalid'],
  ['say ask saved_card 1', 'Line: Asks which saved card'],
  ['say ask confirmation 2 nothing_keyed', 'Line: Asks again to confirm: nothing was entered'],
  ['say link_waiting', 'Line: Says that it is waiting for the payment by link'],
  ['paying_elsewhere page', 'Caller: Pays on the pay page'],
  ['declined do_not_honor', 'Call: The bank declined: do not honor'],
  ['declined processing_error', 'Call: The card could not be processed'],
  ['refer timeout 408', 'Agent: The REFER timed out, 408'],
  ['a step of an earlier version', 'Call: A step of an earlier version'],
])('%s is %s', (step, said) => {
  const words = stepWords(step);
  expect(`${words?.kind}: ${words?.what}`).toBe(said);
});

it.each(['ask expiry', 'card_number looks_wrong', 'call_ended'])(
  '"%s" has no words of its own, because the next step says it',
  (step) => {
    expect(stepWords(step)).toBeNull();
  },
);

const FIELD_ERRORS = quoted('lines', /export type FieldError =([^;]+);/, /'(\w+)'/g);
const LINES = quoted('lines', /export type Line =([\s\S]+)/, /\bname: '(\w+)'/g);
const REFUSALS = quoted('events', /export type FlowEvent =([\s\S]+)/, /'refused'; reason: ([^;}]+)/g).flatMap(
  (reasons) => [...reasons.matchAll(/'(\w+)'/g)].map(([, reason]) => `refused ${reason}`),
);
/** The steps that `noteOf` writes for the result of a charge. */
const ANSWERS = [
  'paid',
  'saved_card_unusable',
  'unconfirmed',
  'paying_elsewhere',
  'paid_elsewhere',
  'declined_elsewhere',
  ...DECLINE_CODES.map((code) => `declined ${code}`),
  ...REFUSALS,
];

/** Names in a type of the conversation. */
function quoted(file: 'events' | 'lines', type: RegExp, name: RegExp): string[] {
  const source = readFileSync(`src/flow/${file}.ts`, 'utf8');
  return [...(type.exec(source)?.[1] ?? '').matchAll(name)].map(([, text]) => text ?? '');
}

/** The steps of each expression that is not a string literal. An expression that is missing here fails the test. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  'askStep(question.field)': ASKED_FIELDS.map((field) => `ask ${field}`),
  '`${state.question.field} ${error}`': ASKED_FIELDS.flatMap((field) => FIELD_ERRORS.map((why) => `${field} ${why}`)),
  "error === null ? 'ask merchant' : `merchant ${error}`": [
    'ask merchant',
    'merchant nothing_keyed',
    'merchant looks_wrong',
    'merchant started_over',
  ],
  '`paying_elsewhere ${by}`': ['paying_elsewhere page', 'paying_elsewhere other'],
  '`declined_elsewhere ${event.by}`': ['declined_elsewhere page', 'declined_elsewhere other'],
  '`declined_elsewhere ${by}`': ['declined_elsewhere page', 'declined_elsewhere other'],
  '`${result.type} heard`': ['paid_elsewhere heard', 'declined_elsewhere heard', 'unconfirmed heard'],
  'event.type': ['hung_up', 'media_lost'],
  type: ['hung_up', 'media_lost'],
  "isLost ? 'SIP server lost' : 'caller gone'": ['SIP server lost', 'caller gone'],
  '`link ${answer.reason}`': ['link opted_out', 'link too_often', 'link unavailable'],
  "'reason' in line ? `${line.name} ${line.reason}` : line.name": [
    ...LINES.filter((name) => !['ask', 'gave_up', 'link_stays'].includes(name)),
    ...['no_input', 'invalid_input', 'no_choice', 'declined'].map((reason) => `gave_up ${reason}`),
    ...['no_payment', 'asked', 'ended'].map((reason) => `link_stays ${reason}`),
  ],
  CHARGE_STEP: ['charge'],
  RETURN_STEP: ['return'],
  'noteOf(answer)': ANSWERS,
  'noteOf(event)': ANSWERS,
  'lineNote(line)': [
    ...LINES.filter((name) => name !== 'ask').map((name) => `say ${name}`),
    ...ASKED_FIELDS.flatMap((field) => [null, ...FIELD_ERRORS].map((why) => `say ask ${field} 2 ${why ?? ''}`.trim())),
  ],
  'LEG_ENDS[by]': ['caller hung up', 'SIP server lost', 'session timer expired'],
  "cause === 'media_timeout' ? 'no audio' : 'media server lost'": ['no audio', 'media server lost'],
  "`refer ${result.reason}${result.status === undefined ? '' : ` ${result.status}`}`": [
    'refer refused 603',
    'refer failed 486',
    'refer failed',
    'refer timeout',
    'refer leg_gone',
    'refer connection_lost',
  ],
  '`return_to not allowed: ${allowed.refused}`': ['host_not_allowed', 'number_not_allowed', 'number_refused'].map(
    (why) => `return_to not allowed: ${why}`,
  ),
  '`bridge failed ${error.status}`': ['bridge failed 486'],
  '`bridge failed ${error.reason}`': ['no_server', 'no_common_codec', 'encryption', 'host_name', 'full'].map(
    (why) => `bridge failed ${why}`,
  ),
  'await Promise.race([hungUp, lost, over, tooLong])': [
    'agent hung up',
    'agent lost',
    "agent's media lost",
    'bridge ended',
    'bridge too long',
  ],
  'KINDS[kind].step': ['keys by telephone-event', 'keys by SIP INFO', 'keys by sound'],
};

/** Expressions that pass on a step from elsewhere. */
const PASSED_ON = ['step', 'effect.step', 'note'];

/** Calls that write a step: in their last argument, or right after the match. */
const WRITTEN = /type: 'note', step: |\b(?<!\breplyTime\.)note\(|#finish\(|\bend(?:Call|BrokenOff)\(|\bwaitByLink\(/g;

function sourcesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  // What measures the load notes readings, and writes no steps.
  const sources = names.filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('load/'));
  return sources.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
}

/** The arguments or the value from there to the closing bracket. */
function expressionsAt(source: string, start: number): string[] {
  const found = [''];
  let depth = 0;
  for (const character of source.slice(start)) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) break;
    if (character === ',' && depth === 0) found.push('');
    else found.push(`${found.pop()}${character}`);
  }
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/** The expressions of all steps that the conversation and the phone can write. */
function writtenSteps(): string[] {
  const steps = [...sourcesOf('src/flow'), ...sourcesOf('src/phone')].flatMap((source) =>
    [...source.matchAll(WRITTEN)].flatMap(({ 0: text, index }) => {
      const parts = expressionsAt(source, index + text.length);
      const step = text.startsWith('#finish') ? parts[1] : parts.at(-1);
      // Skips parameters of declarations, which have a type.
      return step === undefined || /^\w+: /.test(step) ? [] : [step];
    }),
  );
  return [...new Set(steps)].filter((step) => !PASSED_ON.includes(step));
}

/** The texts of an expression. @throws if the test does not know it */
function textsOf(expression: string): readonly string[] {
  const plain = /^'([^']+)'$/.exec(expression)?.[1];
  const texts = plain === undefined ? COMPOSED[expression] : [plain];
  if (texts === undefined) throw new Error(`add the steps of this expression to COMPOSED: ${expression}`);
  return texts;
}

it.each(writtenSteps())('%s has words', (expression) => {
  const texts = textsOf(expression);
  expect(texts.length).toBeGreaterThan(0);
  for (const step of texts) {
    const words = stepWords(step);
    const raw = `${step.charAt(0).toUpperCase()}${step.slice(1)}`.replaceAll('_', ' ');
    if (words !== null && step !== 'answered') expect([step, words.what]).not.toEqual([step, raw]);
    expect(words?.what ?? '').not.toMatch(/_(?!to\b)|^Says: /);
  }
});

it('finds the steps in the sources', () => {
  expect(writtenSteps().length).toBeGreaterThan(50);
  expect([LINES.length > 30, FIELD_ERRORS.length > 8, REFUSALS.length > 5]).toEqual([true, true, true]);
});

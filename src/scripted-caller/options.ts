/** The command line of `ringkey call`. */
import { parseArgs } from 'node:util';
import { SCRIPTS, type Script, type ScriptName } from './scripts.ts';

export interface CallOptions {
  script: ScriptName;
  /** Merchant slug, id (`mer_…`) or dialled number (`+…`). */
  merchant: string;
  amountCents: number;
  /** Replaces the script's card number. */
  card: string | null;
  callerNumber: string;
  /** `agent`: an agent of our own; `none`: no return_to; else a SIP URI. */
  returnTo: string;
  /** Whether the caller's phone takes a REFER; otherwise the line bridges. */
  takesRefer: boolean;
  /** Dial this instead of a checkout's `transfer_to`. */
  target: string | null;
  record: string | null;
  json: boolean;
}

/** The words on the command line do not fit. */
export class UsageError extends Error {}

export function usage(): string {
  const scripts = Object.entries(SCRIPTS).map(([name, { about }]) => `    ${name.padEnd(20)} ${about}`);
  return [
    'Usage: npm run call -- [options]   Places a phone call to the payment line and tells what happens on it.',
    '',
    '  --script NAME       what the caller does (default: pay)',
    ...scripts,
    '  --merchant WHO      slug, id or dialled number (default: the script’s, mostly demo-diner)',
    '  --amount CENTS      amount of the checkout (default: 4250)',
    '  --card DIGITS       test card to key instead of the script’s',
    '  --caller NUMBER     the caller’s number (default: the script’s, mostly +15550101234)',
    '  --return WHERE      none, or a SIP URI; by default an agent of our own answers',
    '  --no-refer          the caller’s phone does not take REFER, so the line bridges to the agent',
    '  --target SIP_URI    dial this instead of a new checkout’s transfer_to',
    '  --record FILE.wav   write what the caller heard',
    '  --json              print the timeline as JSON',
  ].join('\n');
}

/** @throws UsageError */
export function readCallOptions(words: readonly string[]): CallOptions {
  const { values } = parse(words);
  const amountCents = Number(values.amount);
  if (!Number.isInteger(amountCents) || amountCents < 1) throw new UsageError('--amount takes a number of cents');
  if (!(values.script in SCRIPTS)) throw new UsageError(`--script ${values.script}: there is no such script`);
  if (values.card !== undefined && !/^\d{12,19}$/.test(values.card))
    throw new UsageError('--card takes 12 to 19 digits');
  const script: Script = SCRIPTS[values.script as ScriptName];
  return {
    script: values.script as ScriptName,
    merchant: values.merchant ?? script.merchant ?? 'demo-diner',
    amountCents,
    card: values.card ?? null,
    callerNumber: values.caller ?? script.caller ?? '+15550101234',
    returnTo: values.return,
    takesRefer: !values['no-refer'],
    target: values.target ?? null,
    record: values.record ?? null,
    json: values.json,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        script: { type: 'string', default: 'pay' },
        merchant: { type: 'string' },
        amount: { type: 'string', default: '4250' },
        card: { type: 'string' },
        caller: { type: 'string' },
        return: { type: 'string', default: 'agent' },
        'no-refer': { type: 'boolean', default: false },
        target: { type: 'string' },
        record: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The command line of `ringkey call`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { addEntered, ENTERED_FIELDS, type Entered } from './entered.ts';
import { SCRIPTS, type Script, type ScriptName } from './scripts.ts';

/** Named as in commander. */
export interface CallOptions {
  script: ScriptName;
  /** Merchant slug, ID (`mer_…`) or dialed number (`+…`). */
  merchant: string;
  /** In cents. */
  amount: number;
  /** Replaces the script's card number. */
  card?: string;
  /** Replaces digits of the script. */
  enter: Entered;
  /** The caller's number. */
  caller: string;
  /** `agent`: the built-in agent; `none`: no `return_to`; otherwise a SIP URI. */
  return: string;
  /** Whether the caller's phone accepts a REFER. Otherwise the line bridges. */
  refer: boolean;
  /** Dial this instead of a checkout's `transfer_to`. */
  target?: string;
  /** File for a recording of what the caller hears. */
  record?: string;
  json: boolean;
  /** The program at the other end of the standard streams creates the checkout; see `driven.ts`. */
  driven: boolean;
}

/** The command without its action. */
export function createCallCommand(): Command {
  const scripts = Object.entries(SCRIPTS).map(([name, { about }]) => `  ${name.padEnd(20)} ${about}`);
  return new Command('call')
    .description('place a test call to the payment line and print what happens')
    .addOption(scriptOption())
    .option(
      '--merchant <merchant>',
      'slug, ID or number of the merchant (default: set by the script, mostly demo-diner)',
    )
    .option('--amount <cents>', 'amount of the checkout in minor units', parseAmount, 4_250)
    .option('--card <digits>', 'test card to enter instead of the script’s card', parseCard)
    .option(
      '--enter <field=digits>',
      `digits to enter instead of the script’s, for test cards of another processor; can be repeated. Fields: ${ENTERED_FIELDS.join(', ')}`,
      parseEntered,
      {},
    )
    .option('--caller <number>', 'number of the caller (default: set by the script, mostly +15550101234)')
    .option('--return <where>', 'where the call returns: agent (a built-in agent answers), none, or a SIP URI', 'agent')
    .option('--no-refer', 'the caller’s phone does not accept REFER, so the line bridges to the agent')
    .option('--target <sip-uri>', 'dial this address instead of the transfer_to of a new checkout')
    .option('--record <file.wav>', 'record what the caller hears')
    .option('--json', 'print the timeline as JSON', false)
    .option(
      '--driven',
      'for programs: print steps as lines of JSON, and read the address to dial from standard input',
      false,
    )
    .addHelpText('after', `\nScripts:\n${scripts.join('\n')}`);
}

/** The options of a parsed {@link createCallCommand}, with the script's values for missing ones. */
export function callOptionsOf(command: Command): CallOptions {
  const given = command.opts<Omit<CallOptions, 'merchant' | 'caller'> & Partial<CallOptions>>();
  const { merchant = 'demo-diner', caller = '+15550101234' }: Script = SCRIPTS[given.script];
  return { merchant, caller, ...given };
}

/** Not with `choices`, because the help lists each script with a description. */
function scriptOption(): Option {
  return new Option('--script <name>', 'what the caller does, see below').default('pay').argParser((name) => {
    if (Object.hasOwn(SCRIPTS, name)) return name;
    throw new InvalidArgumentError('It must be one of the scripts listed below.');
  });
}

function parseAmount(text: string): number {
  const cents = Number(text);
  if (Number.isInteger(cents) && cents >= 1) return cents;
  throw new InvalidArgumentError('It must be a whole number of minor units, at least 1.');
}

function parseEntered(text: string, before: Entered): Entered {
  const entered = addEntered(before, text);
  if (entered !== null) return entered;
  throw new InvalidArgumentError('It must be a field and its digits, such as security_code=737.');
}

function parseCard(text: string): string {
  if (/^\d{12,19}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 12 to 19 digits.');
}

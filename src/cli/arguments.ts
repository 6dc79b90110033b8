/** Arguments and options of several commands. They are checked while they are parsed, so the message names the wrong one. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import { type Id, type IdKind, parseId } from '../domain/ids.ts';
import { CURRENCIES } from '../domain/money.ts';
import type { Mode } from '../domain/session.ts';

export const MODES: readonly Mode[] = ['test', 'live'];
const MAX_NAME_LENGTH = 100;

export const idParser =
  <K extends IdKind>(kind: K) =>
  (text: string): Id<K> => {
    const id = parseId(kind, text);
    if (id === null) throw new InvalidArgumentError(`It must be a valid ${kind.toLowerCase()} ID.`);
    return id;
  };

export function idArgument(kind: IdKind): Argument {
  return new Argument(`<${kind.toLowerCase()}-id>`).argParser(idParser(kind));
}

export function accountOption(): Option {
  return new Option('--account <id>', 'ID of the account (acct_…)')
    .argParser(idParser('Account'))
    .makeOptionMandatory();
}

/** The mode of something that the command creates. */
export function modeOption(): Option {
  return new Option('--mode <mode>').choices(MODES).default('test');
}

/** The mode to list. Without it, both are listed. */
export function modeFilterOption(): Option {
  return new Option('--mode <mode>', 'only this mode').choices(MODES);
}

export function currencyOption(): Option {
  return new Option('--currency <code>').choices(CURRENCIES);
}

export function nameOption(description: string): Option {
  return new Option('--name <name>', description).argParser(parseName);
}

/** A name fits on one line of a list. A value that looks like an option means that the name was forgotten. */
function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || name.startsWith('--')) {
    throw new InvalidArgumentError(`It must be 1 to ${MAX_NAME_LENGTH} characters on one line, and not begin with --.`);
  }
  return name;
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON');
}

export function parseAmount(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of minor units: 1250 is 12.50.');
}

/** Arguments and options that several commands take: checked as they are parsed, so that a wrong one is named. */
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
    if (id === null) throw new InvalidArgumentError(`It is no ${kind.toLowerCase()} id.`);
    return id;
  };

export function idArgument(kind: IdKind): Argument {
  return new Argument(`<${kind.toLowerCase()}-id>`).argParser(idParser(kind));
}

export function accountOption(): Option {
  return new Option('--account <id>', 'the account, acct_…').argParser(idParser('Account')).makeOptionMandatory();
}

/** Of something that is made. */
export function modeOption(): Option {
  return new Option('--mode <mode>').choices(MODES).default('test');
}

/** Of what is listed: both modes where it is not given. */
export function modeFilterOption(): Option {
  return new Option('--mode <mode>', 'of this mode only').choices(MODES);
}

export function currencyOption(): Option {
  return new Option('--currency <code>').choices(CURRENCIES);
}

export function nameOption(description: string): Option {
  return new Option('--name <name>', description).argParser(parseName);
}

/** A name is one line of a list. A word that looks like an option is one whose name was forgotten. */
function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || name.startsWith('--')) {
    throw new InvalidArgumentError(`It takes 1 to ${MAX_NAME_LENGTH} characters on one line.`);
  }
  return name;
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON');
}

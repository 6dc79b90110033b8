/** The words of a command that has no options but --help. */
import { parseArgs } from 'node:util';

/** @returns what stands behind the command; null for who asked for help, and has been told `usage` */
export function wordsOf(words: string[], usage: string): string[] | null {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
  if (!values.help) return positionals;
  console.log(usage);
  return null;
}

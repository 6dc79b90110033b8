/** `ringkey vault reseal`: so that an old encryption key can be taken away. */
import { wordsOf } from './command-words.ts';
import type { Config } from '../config.ts';
import { CannotStart } from '../domain/start-error.ts';
import { UsageError } from './usage-error.ts';
import { createVault } from '../vault/vault.ts';
import { withRecord } from './connect.ts';
import { type Resealed, resealAll } from './reseal.ts';

const USAGE = `Usage: ringkey vault reseal

  Encrypts all that is encrypted in the record with the first of RINGKEY_ENCRYPTION_KEYS. The service may run, and all of
  its processes must have that key first by now. Broken off, it goes on where it is run again.

  To replace a key: append the new one in all processes, deploy; move it to the front, deploy; ringkey vault reseal;
  take the old one away once this has ended with exit code 0.`;

const MAX_NAMED = 100;

/** @returns the process's exit code: 0 when the first key alone opens everything. @throws UsageError, CannotStart */
export async function vaultCommand(words: string[], config: Config): Promise<number> {
  const said = wordsOf(words, USAGE);
  if (said === null) return 0;
  if (said.join(' ') !== 'reseal') throw new UsageError('there is no such command', USAGE);
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  if (keys.length === 0) throw new CannotStart('ringkey vault reseal needs RINGKEY_ENCRYPTION_KEYS.');
  const results = await withRecord(config, ({ database }) => resealAll(database, createVault(keys)));
  for (const { name, resealed, current } of results) {
    console.log(`${name}: ${resealed} resealed, ${current} were already`);
  }
  return results.map(complain).every((isFine) => isFine) ? 0 : 1;
}

/** @returns whether there was nothing to complain of */
function complain({ name, unopened, missed }: Resealed): boolean {
  if (unopened.length > 0) {
    const more = unopened.length > MAX_NAMED ? ` and ${unopened.length - MAX_NAMED} more` : '';
    console.error(`ringkey: ${name} that none of the keys opens: ${unopened.slice(0, MAX_NAMED).join(', ')}${more}`);
  }
  if (missed > 0) console.error(`ringkey: ${name}: ${missed} were changed meanwhile: run it again`);
  return unopened.length === 0 && missed === 0;
}

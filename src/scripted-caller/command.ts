/** The command `ringkey call`: options in, a transcript out, exit code 0 only when the call went as its script expects. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { RestFailure } from './checkout.ts';
import { type CallReport, placeCall } from './main.ts';
import { readCallOptions, UsageError, usage } from './options.ts';
import { findOrStart } from './product.ts';
import { SCRIPTS } from './scripts.ts';

/** @param command the running program's script, to start the service with when none is there. @returns the exit code */
export async function callCommand(words: readonly string[], config: Config, command: string): Promise<number> {
  if (words.includes('--help')) {
    console.log(usage());
    return 0;
  }
  try {
    const options = readCallOptions(words);
    const print = options.json ? () => undefined : (line: string) => console.log(line);
    const baseUrl = `http://${config.RINGKEY_HTTP_HOST}:${config.RINGKEY_HTTP_PORT}`;
    const product = await findOrStart(baseUrl, command, print);
    try {
      print(`\nThe caller ${SCRIPTS[options.script].about}.\n`);
      const speechFolders = [config.RINGKEY_MEDIA_DIR ?? join(config.RINGKEY_HOME, 'speech')];
      const report = await placeCall(options, { baseUrl, speechFolders, print });
      if (options.json) console.log(JSON.stringify(report, null, 2));
      else conclude(report, options.record);
      return report.differences.length === 0 ? 0 : 1;
    } finally {
      await product.stop();
    }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RestFailure)) throw error;
    console.error(`ringkey call: ${error.message}`);
    return 2;
  }
}

function conclude(report: CallReport, recording: string | null): void {
  console.log('');
  console.log(`  outcome at the agent   ${report.outcome ?? '(the caller did not come back)'}`);
  console.log(`  charge                 ${report.charge ?? '(none)'}`);
  if (recording !== null) console.log(`  recording              ${recording}`);
  const verdict = report.differences.length === 0 ? 'as the script expects' : report.differences.join('; ');
  console.log(`  the call went          ${verdict}\n`);
}

/**
 * The command `ringkey call`: options in, a transcript out, exit code 0 only if the call went as its script expects.
 */
import { join } from 'node:path';
import type { Config } from '../../config/settings.ts';
import { placeDrivenCall } from './driven.ts';
import type { CallOptions } from './options.ts';
import { type CallReport, placeCall } from './place-call.ts';
import { RestFailure } from './rest-client.ts';
import { findOrStartProduct } from './running-product.ts';
import { SCRIPTS } from './scripts.ts';
import { describeEntry, type TimedEntry } from './timeline.ts';

/**
 * Places the call. Starts a service if none is running.
 * @param baseUrl of the service
 * @param program the running program's script, to start the service with. @returns the exit code
 */
export async function placeCallAndReport(
  options: CallOptions,
  config: Config,
  baseUrl: string,
  program: string,
): Promise<number> {
  const speechFolders = [config.RINGKEY_MEDIA_DIR ?? join(config.RINGKEY_HOME, 'speech')];
  if (options.driven) return placeDrivenCall(options, speechFolders);
  const print = options.json ? () => undefined : (line: string) => console.log(line);
  const product = await findOrStartProduct(baseUrl, program, print);
  try {
    print(`\nThe caller ${SCRIPTS[options.script].about}.\n`);
    const show = (entry: TimedEntry) => print(describeEntry(entry));
    const report = await placeCall(options, { baseUrl, speechFolders, show });
    if (options.json) console.log(JSON.stringify(report, null, 2));
    else printSummary(report, options);
    return report.differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RestFailure)) throw error;
    console.error(`ringkey call: ${error.message}`);
    return 2;
  } finally {
    await product.stop();
  }
}

function printSummary(report: CallReport, { record: recording, target }: CallOptions): void {
  // Another program, which was called by `--target`, may know more than the caller's phone.
  const [noOutcome, noCharge] =
    target === undefined ? ['(the call did not return)', '(none)'] : ['(the caller saw none)', '(the caller saw none)'];
  console.log('');
  console.log(`  outcome at the agent   ${report.outcome ?? noOutcome}`);
  console.log(`  charge                 ${report.charge ?? noCharge}`);
  if (recording !== undefined) console.log(`  recording              ${recording}`);
  const result = report.differences.length === 0 ? 'as the script expects' : report.differences.join('; ');
  console.log(`  the call went          ${result}\n`);
}

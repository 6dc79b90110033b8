/** `ringkey call`: places a test call to a running service. `call list` and `call show` read recorded calls. */
import type { Command } from 'commander';
import { callOptionsOf, createCallCommand } from '../local/scripted-caller/options.ts';
import { addCallListCommands } from './call-list.ts';
import type { CommandContext } from './context.ts';
import { findServiceUrl } from './find-service.ts';

export function addCallCommand(program: Command, context: CommandContext): void {
  const call = createCallCommand().copyInheritedSettings(program);
  call.action(async () => {
    // Loaded only now: the caller uses the softswitch's SIP and RTP, which the service itself never loads.
    const { placeCallAndReport } = await import('../local/scripted-caller/command.ts');
    const config = context.readConfig();
    const baseUrl = await findServiceUrl(config);
    context.exitCode = await placeCallAndReport(callOptionsOf(call), config, baseUrl, process.argv[1] ?? '');
  });
  addCallListCommands(call, context);
  program.addCommand(call);
}

/** `ringkey call`: places a test call to a running service. */
import type { Command } from 'commander';
import { callOptionsOf, createCallCommand } from '../scripted-caller/options.ts';
import type { CommandContext } from './context.ts';

export function addCallCommand(program: Command, context: CommandContext): void {
  const call = createCallCommand().copyInheritedSettings(program);
  call.action(async () => {
    // Loaded only now: the caller uses the softswitch's SIP and RTP, which the service itself never loads.
    const { placeCallAndReport } = await import('../scripted-caller/command.ts');
    context.exitCode = await placeCallAndReport(callOptionsOf(call), context.readConfig(), process.argv[1] ?? '');
  });
  program.addCommand(call);
}

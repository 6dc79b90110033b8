/** `ringkey charge capture` and `ringkey charge void`: take or release a hold, over the REST API of a running service. */
import type { Command } from 'commander';
import type { ChargeId } from '../domain/ids.ts';
import { idArgument, parseAmount } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type ErrorAnswer, postToService, printError } from './post-to-service.ts';

const KEY_NOTE = "\nSet RINGKEY_API_KEY to a key of the charge's account and mode. Charges of the demo need none.";
const AGAIN = 'It may have been done. You can safely run the same command again.';

interface ChargeAnswer extends ErrorAnswer {
  charge_id?: string;
  status?: string;
  captured_cents?: number;
  amount_cents?: number;
  currency?: string;
}

/** @param charge the command `ringkey charge` */
export function addHoldCommands(charge: Command, context: CommandContext): void {
  const change = async (kind: 'capture' | 'void', id: ChargeId, body: object) => {
    const path = `/v1/charges/${id}/${kind}`;
    const answer = await postToService<ChargeAnswer>(context.readConfig(), path, body, { again: AGAIN });
    context.exitCode = print(answer);
  };
  charge
    .command('capture')
    .description('take the amount of an authorized charge, in full or in part')
    .addArgument(idArgument('Charge'))
    .option('--amount <n>', 'amount in minor units (default: the whole hold); the rest is released', parseAmount)
    .addHelpText('after', KEY_NOTE)
    .action((id: ChargeId, { amount }: { amount?: number }) =>
      change('capture', id, amount === undefined ? {} : { amount_cents: amount }),
    );
  charge
    .command('void')
    .description('release the amount of an authorized charge')
    .addArgument(idArgument('Charge'))
    .addHelpText('after', KEY_NOTE)
    .action((id: ChargeId) => change('void', id, {}));
}

/** @returns the exit code */
function print({ error, ...charge }: ChargeAnswer): number {
  if (error !== undefined) return printError(error);
  const cents = charge.captured_cents ?? charge.amount_cents;
  console.log(`${charge.charge_id}  ${charge.status}  ${cents} ${charge.currency}`);
  return 0;
}

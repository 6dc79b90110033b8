/** `ringkey page check`: checks that a pay page is served as it was built. */
import type { Command } from 'commander';
import { loadPageScripts } from '../http/pay-page/assets.ts';
import { checkPage, type PageCheck } from '../http/pay-page/check.ts';
import { createAdyen } from '../payments/adyen/index.ts';
import { createAuthorizeNet } from '../payments/authorizenet/index.ts';
import { createBraintree } from '../payments/braintree/index.ts';
import type { Processor } from '../payments/port/processor.ts';
import { createSquare } from '../payments/square/index.ts';
import { createStripe } from '../payments/stripe/index.ts';
import { createWorldpay } from '../payments/worldpay/index.ts';
import { type CommandContext, CommandFailed } from './context.ts';

const NOTES = `
Loads the page of a pay link as a browser does, which changes nothing. Compares its scripts, their content and its
Content-Security-Policy with this installation. Run it at least weekly, from outside your network, with the deployed
version (PCI DSS 11.6.1). Exit code 1 means that something differs.`;
const LIMIT_MS = 15_000;

export function addPageCommands(program: Command, context: CommandContext): void {
  program
    .command('page')
    .description('check the pay page')
    .command('check <link>')
    .description('compare a pay page as served with the page as built')
    .addHelpText('after', NOTES)
    .action(async (link: string) => {
      const { scripts, differences } = await checkServedPage(link);
      for (const { url, why } of scripts) console.log(`${url}\n  ${why}`);
      for (const difference of differences) console.error(`ringkey: ${difference}`);
      console.log(
        differences.length === 0 ? 'The page is served as built.' : 'The page differs from the one that was built.',
      );
      context.exitCode = differences.length === 0 ? 0 : 1;
    });
}

/** @throws CommandFailed if the page cannot be loaded */
async function checkServedPage(link: string): Promise<PageCheck> {
  if (!URL.canParse(link)) throw new CommandFailed('the link must be a URL');
  const processors: Processor[] = [
    createStripe(),
    createSquare(),
    createAuthorizeNet(),
    createBraintree(),
    createWorldpay(),
    createAdyen({ outcomes: null }),
  ];
  const pages = processors.flatMap(({ modes, page }) => modes.map((mode) => page(mode)));
  const answer = await ask(link);
  const served = { html: await answer.text(), policy: answer.headers.get('content-security-policy') };
  const built = { scripts: loadPageScripts(processors), pages: pages.filter((page) => page !== null) };
  return checkPage(served, built, async (path) =>
    Buffer.from(await (await ask(new URL(path, link).href)).arrayBuffer()),
  );
}

async function ask(url: string): Promise<Response> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answer = await fetch(url, { redirect: 'error', signal }).catch((error: Error) => {
    throw new CommandFailed(`${new URL(url).host} cannot be reached: ${error.message}`);
  });
  if (!answer.ok) throw new CommandFailed(`${new URL(url).host} returned ${answer.status}`);
  return answer;
}

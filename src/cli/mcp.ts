/** `ringkey mcp`: the tools of a running service for MCP clients that start a program and use its standard streams. */
import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { clientEnvironment } from '../config/config.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import { findServiceUrl } from './find-service.ts';

export function addMcpCommand(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('offer the tools of a running service to an MCP client by standard input and output')
    .option('--url <url>', 'address of the service, instead of RINGKEY_URL or the service on this machine', parseUrl)
    .addHelpText('after', '\nRINGKEY_KEY is the API key, with the scope "agent". The keyless demo needs none.')
    .action(async (options: { url?: string }) => {
      // Loaded only now: no other command needs the protocol.
      const [{ serveStdio }, { createToolServer }, { serviceTools }, { packageVersion }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../http/mcp/tool-server.ts'),
        import('../http/mcp/service-tools.ts'),
        import('../config/version.ts'),
      ]);
      const { url, key } = clientEnvironment();
      const given = options.url ?? url;
      const service = given === null ? await findServiceUrl(context.readConfig()) : addressOf(given);
      if (service === null) throw new CommandFailed(`RINGKEY_URL: ${NO_ADDRESS}`);
      const source = serviceTools({ url: service, key });
      const ended = once(process.stdin, 'close');
      serveStdio(() => createToolServer(packageVersion(), source), { maxSubscriptions: 0 });
      await ended;
    });
}

const NO_ADDRESS = 'It must be the http(s) address of a Ringkey service.';

function parseUrl(text: string): string {
  const address = addressOf(text);
  if (address === null) throw new InvalidArgumentError(NO_ADDRESS);
  return address;
}

/** @returns without a trailing slash; null if it is no address */
function addressOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null;
  return url.href.replace(/\/$/, '');
}

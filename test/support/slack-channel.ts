/** A channel's incoming webhook, as Slack has it: a real HTTP server that keeps what is posted. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlackMessage {
  text: string;
  blocks: { type: string; text?: { text: string } }[];
}

export interface SlackChannel {
  url: string;
  /** Everything that was posted so far. */
  bodies: SlackMessage[];
  close(): Promise<void>;
}

/** @param status of each response */
export async function startSlackChannel(status = 200): Promise<SlackChannel> {
  const bodies: SlackMessage[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      response.writeHead(status).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0/B0/secret`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

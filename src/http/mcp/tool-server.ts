/** An MCP server that has tools and nothing else. The protocol is the SDK's. */
import { type CallToolRequest, type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server';

/** Where the tools are: in this process for `POST /mcp`, at a service for `ringkey mcp`. */
export interface ToolSource {
  list: () => Promise<Tool[]>;
  /** @throws ProtocolError for an unknown tool */
  call: (params: CallToolRequest['params']) => Promise<CallToolResult>;
}

const INSTRUCTIONS = `Takes a card payment during a phone call. Call create_checkout when the order is complete, say its "agent_message", and transfer the call to "transfer_to" if it is not null. The caller enters the card there, and the call returns to you. Never ask for a card number, an expiry date or a security code, and stop a caller who starts to say one: tools reject card data. If a charge is "pending", the payment is being checked: never offer another way to pay.`;

export function createToolServer(version: string, { list, call }: ToolSource): Server {
  const server = new Server(
    { name: 'ringkey', title: 'Ringkey', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: await list() }));
  server.setRequestHandler('tools/call', ({ params }) => call(params));
  return server;
}

/** The tools of a running service, for `ringkey mcp`: each request goes to its `POST /mcp`, with the key. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import type { ToolSource } from './tool-server.ts';

interface Service {
  /** Without a trailing slash. */
  url: string;
  /** Null for the keyless demo. */
  key: string | null;
  /** How long a request may take. The default is longer than the service takes, also if the request waits for news. */
  limitMs?: number;
}

const LIMIT_MS = 120_000;

export function serviceTools(service: Service): ToolSource {
  return {
    list: async () => ((await ask(service, 'tools/list', {})) as { tools: Tool[] }).tools,
    call: async (params) => (await ask(service, 'tools/call', params)) as CallToolResult,
  };
}

interface JsonRpcAnswer {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** @throws ProtocolError from the service, or if it does not answer */
async function ask({ url, key, limitMs = LIMIT_MS }: Service, method: string, params: object): Promise<unknown> {
  const { result, error } = await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method, params }, key, limitMs);
  if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data);
  return result;
}

async function post(url: string, message: object, key: string | null, limitMs: number): Promise<JsonRpcAnswer> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  const body = JSON.stringify(message);
  try {
    // A redirect would send the key to another address.
    const signal = AbortSignal.timeout(limitMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    return (await response.json()) as JsonRpcAnswer;
  } catch {
    const words = `No valid answer from ${url}. The request may still take effect.`;
    throw new ProtocolError(ProtocolErrorCode.InternalError, words);
  }
}

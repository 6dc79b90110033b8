/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. A tool call is a REST request of the
 * same client (`askAsClient`), so keys, scopes, limits, idempotency, redaction, request log and audit are those of REST.
 */
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { type AgentTool, agentTools } from '../agent-tools/tools.ts';
import { askAsClient } from '../api/in-process.ts';
import { errorContext } from '../api/plugins/errors.ts';
import { isStrictlyFromOurPage } from '../api/plugins/local-requests.ts';
import type { OperationRoute } from '../api/reference/operation.ts';
import { requestOf, resultOf } from './tool-call.ts';
import { createToolServer } from './tool-server.ts';

interface McpDeps {
  /** Of REST. Complete when the app is ready. */
  operations: readonly OperationRoute[];
  /** Of REST: see `Api`. */
  guard: (app: FastifyInstance) => void;
  version: string;
}

const MCP_PATH = '/mcp';
/** The most that `wait` of `retrieve_checkout_session` takes. */
const MAX_WAIT_MS = 60_000;
/** Of a call's `_meta`: as the header `Idempotency-Key` of the REST request. */
const IDEMPOTENCY_META = 'ringkey/idempotency-key';

export function mcpRoutes(app: FastifyInstance, deps: McpDeps): void {
  app.register((mcp, _options, done) => {
    refuseOtherSites(mcp);
    deps.guard(mcp);
    answerInJsonRpc(mcp);
    let tools: readonly AgentTool[] | undefined;
    mcp.route({
      // GET and DELETE belong to sessions, so they are answered with 405.
      method: ['POST', 'GET', 'DELETE'],
      url: MCP_PATH,
      config: { isEnvelope: true },
      handler: async (request, reply) => {
        tools ??= agentTools(deps.operations);
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        return sendAnswer(await answerMessage(app, tools, deps.version, request, gone.signal), reply);
      },
    });
    done();
  });
}

/**
 * Against DNS rebinding: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning.
 * Programs send no Origin. A key has no place in a page of a browser.
 */
function refuseOtherSites(mcp: FastifyInstance): void {
  mcp.addHook('onRequest', (request, _reply, done) => {
    const message = 'A page of another site sent this request. Connect to MCP from a program.';
    done(
      isStrictlyFromOurPage(request)
        ? undefined
        : new ApiError('invalid_value', { status: 403, param: 'Origin', message }),
    );
  });
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
/** The first of the codes that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000;

/** Errors before the protocol, such as a wrong key, as JSON-RPC errors with the error object of REST as their data. */
function answerInJsonRpc(mcp: FastifyInstance): void {
  mcp.addHook('preSerialization', async ({ failure }, _reply, payload) => {
    if (failure === null) return payload;
    const { error } = payload as { error: { message: string } };
    const code = failure.code === 'invalid_json' ? PARSE_ERROR : SERVER_ERROR;
    return { jsonrpc: '2.0', id: null, error: { code, message: error.message, data: error } };
  });
}

async function answerMessage(
  app: FastifyInstance,
  tools: readonly AgentTool[],
  version: string,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<Response> {
  const { body } = request;
  // Batches ended with the revision 2025-06-18. Each message counts for the rate limit, so one request has one.
  if (Array.isArray(body)) return batchRefused();
  const create = () =>
    createToolServer(version, {
      list: async () => tools.map(listed),
      call: ({ name, arguments: given = {}, _meta }) => {
        const tool = tools.find((each) => each.name === name);
        if (tool === undefined)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${plainName(name)}`);
        return callTool(app, request, tool, { given, idempotencyKey: _meta?.[IDEMPOTENCY_META], gone });
      },
    });
  const web = webRequest(request);
  const isLegacy = await isLegacyRequest(web, body ?? null);
  return isLegacy ? serveLegacy(create(), web, body) : serveModern(create, web, body);
}

function batchRefused(): Response {
  const message = 'Batches are not supported. Send one message per request.';
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } }, { status: 400 });
}

const listed = ({ name, title, description, hints, input, output }: AgentTool) =>
  ({ name, title, description, inputSchema: input, outputSchema: output, annotations: hints }) as Tool;

/** A name that a client sent could contain anything. */
const plainName = (name: string) => (/^[\w.-]{1,64}$/.test(name) ? name : '(not a name)');

interface ToolCall {
  given: Record<string, unknown>;
  /** From the client: anything, or undefined. */
  idempotencyKey: unknown;
  gone: AbortSignal;
}

async function callTool(
  app: FastifyInstance,
  client: FastifyRequest,
  tool: AgentTool,
  { given, idempotencyKey, gone }: ToolCall,
): Promise<CallToolResult> {
  const request = requestOf(tool, given, errorContext(client));
  if ('content' in request) return request;
  const key = idempotencyKey === undefined ? {} : { idempotencyKey: String(idempotencyKey) };
  // Its request has a time limit of its own, and may wait for news.
  client.waitsMs = MAX_WAIT_MS;
  try {
    return resultOf(await askAsClient(app, client, { ...request, ...key }, gone));
  } catch (error) {
    if (gone.aborted) return { content: [] };
    throw error;
  }
}

/** The SDK takes web requests. The body is already parsed. */
function webRequest({ method, headers }: FastifyRequest): Request {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
  return new Request(`http://localhost${MCP_PATH}`, { method, headers: lines as [string, string][] });
}

/** Revisions until 2025-11-25. Without a session each request has a server of its own, and the answer is JSON. */
async function serveLegacy(server: Server, request: Request, body: unknown): Promise<Response> {
  if (request.method !== 'POST') return methodNotAllowed();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** From 2026-07-28. */
async function serveModern(create: () => Server, request: Request, body: unknown): Promise<Response> {
  const handler: McpHttpHandler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 });
  const answer = await handler.fetch(request, { parsedBody: body });
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown };
  return method === 'subscriptions/listen' && answer.ok ? unknownMethod(id) : answer;
}

/** The tools never change, so there is nothing to subscribe to. For a valid request, the SDK has an internal error. */
function unknownMethod(id: unknown): Response {
  return Response.json(
    { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } },
    { status: 404 },
  );
}

function methodNotAllowed(): Response {
  const error = { code: SERVER_ERROR, message: 'Method not allowed. Without sessions, MCP is POST only.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 405, headers: { allow: 'POST' } });
}

async function sendAnswer(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const name of ['allow', 'content-type']) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  const text = await answer.text();
  return reply.code(answer.status).send(text === '' ? undefined : text);
}

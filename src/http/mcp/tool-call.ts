/** A call of a tool as the REST request that it stands for, and the answer as the tool's result. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type ErrorContext, errorObject } from '../../contract/errors.ts';
import type { AgentTool } from '../agent-tools/tools.ts';
import type { ApiQuestion, ClientReply } from '../api/in-process.ts';

/** A value that needs no escape in a path, and cannot name another path, as `..` does. */
const IN_PATH = /^[A-Za-z0-9_-]{1,200}$/;

type Arguments = Readonly<Record<string, unknown>>;

/** @returns the request, or an error as REST answers it if the path lacks a value */
export function requestOf(
  { operation: { method, path } }: AgentTool,
  given: Arguments,
  context: ErrorContext,
): Omit<ApiQuestion, 'query'> | CallToolResult {
  const left: Record<string, unknown> = Object.assign({}, given);
  let filled = path;
  for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = left[name];
    delete left[name];
    if (value === undefined || value === null || value === '') return failed('missing_required_fields', name, context);
    if (typeof value !== 'string' || !IN_PATH.test(value)) return failed('invalid_value', name, context);
    filled = filled.replace(placeholder, value);
  }
  if (method === 'post') return { method: 'POST', path: filled, body: left };
  const query = Object.entries(left).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(query.map(([name, value]) => [name, textOf(value)]));
  return { path: search.size === 0 ? filled : `${filled}?${search}` };
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function failed(code: 'missing_required_fields' | 'invalid_value', param: string, context: ErrorContext) {
  return errorResult({ error: errorObject(code, { param }, context) });
}

/** An error is text only: the output schema describes successful answers. */
const errorResult = (body: object): CallToolResult => ({ isError: true, content: [json(body)] });

const json = (body: object) => ({ type: 'text' as const, text: JSON.stringify(body) });

/** The answer is both structured and text, for clients that know only text. */
export function resultOf({ status, body, unknownFields }: ClientReply): CallToolResult {
  if (status >= 400) return errorResult(body as object);
  const ignored = `These arguments are unknown and were ignored: ${unknownFields}`;
  return {
    structuredContent: body as Record<string, unknown>,
    content: [json(body as object), ...(unknownFields === null ? [] : [{ type: 'text' as const, text: ignored }])],
  };
}

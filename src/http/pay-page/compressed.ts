/**
 * Sends a page compressed. What is on it beside the secrets of the link that was opened is the merchant's: there is
 * nothing that another site could put into the answer to guess them by its length (BREACH).
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

export async function sendHtml(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8');
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return reply.send(text);
  const bytes = await compress(text);
  return reply.header('content-encoding', 'gzip').send(bytes);
}

/** Forms with a file: `multipart/form-data`, only for the routes that take one. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DashboardFault } from './faults.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the form's field `file`. Null if it was left empty. Only on routes of {@link takeFiles}. */
    sentFile?: SentFile | null;
  }
}

/** As the browser sent it: REST checks it. */
export interface SentFile {
  type: string;
  bytes: Buffer;
}

/**
 * More than any file that REST takes. The rest is read and dropped, so that the form is shown again with REST's message.
 * Without reading it, browsers show that the connection was reset.
 */
const KEPT_BYTES = 128 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;

/** Makes `app`, a plugin of its own, also accept forms with a file. `request.body` has their other fields. */
export function takeFiles(app: FastifyInstance): void {
  app.decorateRequest('sentFile', null);
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const form = await formIn(request.headers['content-type'] ?? '', payload);
    const file = form.get('file');
    if (file !== null && typeof file !== 'string' && file.size > 0) {
      request.sentFile = { type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
    }
    return new URLSearchParams([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  });
}

/** Uses Node.js's own parser. */
async function formIn(type: string, payload: Readable): Promise<FormData> {
  const start = await startOf(payload);
  const boundary = /boundary="?([^";,\s]+)/.exec(type)?.[1];
  // The file is last in the form, so only the file is cut.
  const body = start.isCut ? Buffer.concat([start.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]) : start.bytes;
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw new DashboardFault('refused');
  }
}

async function startOf(payload: Readable): Promise<{ bytes: Buffer; isCut: boolean }> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const part of payload as AsyncIterable<Buffer>) {
    if (length < KEPT_BYTES) kept.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new DashboardFault('refused');
  }
  const bytes = Buffer.concat(kept);
  return { bytes, isCut: bytes.length < length };
}

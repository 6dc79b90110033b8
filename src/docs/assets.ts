/** Scripts and styles of the pages. Scalar's script comes from its package; it is compressed at the first request, and kept. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STYLE_PATH } from './layout.tsx';
import { SCALAR_PATH, START_PATH, startScript } from './reference.tsx';
import { STYLE } from './style.ts';

type Encoding = 'br' | 'gzip';

/** Level 6 takes half a second, the best one ten. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: promisify(gzip),
};

interface Asset {
  type: string;
  read(): Promise<Buffer>;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const textAsset = (type: string, content: string): Asset => ({ type, read: async () => Buffer.from(content) });

export function assetRoutes(app: FastifyInstance, demoKey: string | null): void {
  const assets: Record<string, Asset> = {
    [STYLE_PATH]: textAsset('text/css; charset=utf-8', STYLE),
    [START_PATH]: textAsset(JAVASCRIPT, startScript(demoKey)),
    [SCALAR_PATH]: { type: JAVASCRIPT, read: readScalar },
  };
  for (const [path, asset] of Object.entries(assets)) {
    const bodies = new Map<Encoding | 'identity', Promise<Body>>();
    app.get(path, async (request, reply) => {
      const encoding = encodingFor(request);
      const body = bodies.get(encoding) ?? bodyOf(asset, encoding);
      bodies.set(encoding, body);
      return sendAsset(request, reply, await body);
    });
  }
}

function readScalar(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return readFile(join(dirname(entry), 'js', 'standalone.js'));
}

interface Body {
  type: string;
  encoding: Encoding | 'identity';
  bytes: Buffer;
  etag: string;
}

async function bodyOf({ type, read }: Asset, encoding: Body['encoding']): Promise<Body> {
  const plain = await read();
  const bytes = encoding === 'identity' ? plain : await COMPRESS[encoding](plain);
  return { type, encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

function encodingFor({ headers }: FastifyRequest): Body['encoding'] {
  const accepted = String(headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, encoding, bytes, etag }: Body): FastifyReply {
  reply.header('cache-control', 'public, max-age=3600').header('etag', etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(type).send(bytes);
}

/**
 * Static files of the pay page, the dashboard and the docs. Each is compressed once per encoding, at its first request,
 * and kept. A path with the hash of the content is cached by browsers for a year; any other path for an hour, by its
 * ETag.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

export interface StaticAsset {
  path: string;
  type: string;
  /** Subresource Integrity: `sha384-…`. */
  integrity: string;
  bytes: Buffer;
}

type Encoding = 'br' | 'gzip' | 'identity';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
const HASH_LENGTH = 16;
const A_YEAR_SECONDS = 31_536_000;
const AN_HOUR_SECONDS = 3_600;
/** Of brotli. The best level, 11, takes ten seconds for the largest file, and saves 3%. */
const QUALITY = 9;
/** The folders that may hold the build: this one; `dist` for tests, which run the sources; its parent for benches. */
const BUILDS = ['../../', '../../../dist/', '../../../../'].map((path) => new URL(path, import.meta.url));

/** @param file name with the ending `.js` or `.css`; the path is `<folder>/<file>` */
export function staticAsset(folder: string, file: string, bytes: Buffer): StaticAsset {
  return {
    path: `${folder}/${file}`,
    type: file.endsWith('.css') ? TYPES.css : TYPES.js,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    bytes,
  };
}

/** A {@link staticAsset} whose path is `<folder>/<hash of the content>/<file>`. */
export function hashedAsset(folder: string, file: string, bytes: Buffer): StaticAsset {
  return staticAsset(`${folder}/${hashOf(bytes)}`, file, bytes);
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);

/** A file of our own build. @param path below `src`, as built. @throws if it was not built */
export function readBuilt(path: string): Buffer {
  const file = BUILDS.map((build) => new URL(path, build)).find((url) => existsSync(url));
  if (file === undefined) throw new Error(`${path} is missing: run npm run build.`);
  return readFileSync(file);
}

/** A file of an npm package. @param beside path from `entry`, for a file that the package does not export */
export function readFromPackage(entry: string, beside?: string): Buffer {
  const file = createRequire(import.meta.url).resolve(entry);
  return readFileSync(beside === undefined ? file : join(dirname(file), beside));
}

export function assetRoutes(app: FastifyInstance, assets: Iterable<StaticAsset>): void {
  for (const asset of assets) {
    const etag = `"${hashOf(asset.bytes)}"`;
    const isHashed = asset.path.split('/').at(-2) === hashOf(asset.bytes);
    const caching = isHashed ? `max-age=${A_YEAR_SECONDS}, immutable` : `max-age=${AN_HOUR_SECONDS}`;
    const bodies = new Map<Encoding, Promise<Buffer>>();
    app.get(asset.path, async (request, reply) => {
      reply.headers({ 'cache-control': `public, ${caching}`, etag, vary: 'accept-encoding' });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
      const body = bodies.get(encoding) ?? compress(asset.bytes, encoding);
      bodies.set(encoding, body);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.type(asset.type).send(await body);
    });
  }
}

function encodingFor(accepted: string): Encoding {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
}

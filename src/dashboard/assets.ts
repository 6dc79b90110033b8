/**
 * Scripts and styles: `/dashboard/assets/<hash>/<name>`. The hash is of the content, so that a browser keeps them for good.
 * htmx and its extension for server-sent events come from their packages.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip' | 'identity';

export interface Asset {
  path: string;
  type: string;
  bodies: Readonly<Record<Encoding, Buffer>>;
}

/** In the order in which they apply. */
const STYLES = ['base', 'frame', 'forms', 'parts', 'sign-in', 'try', 'overview'];
/** What every page runs, in this order; each waits until the page is read. */
const SCRIPTS = { htmx: 'htmx.org/dist/htmx.min.js', sse: 'htmx-ext-sse/dist/sse.min.js', dashboard: null } as const;

/** Where the last build is: here; for tests, which run the sources; for benches, which are compiled into a folder of it. */
const BUILDS = ['./', '../../dist/dashboard/', '../../../dashboard/'].map((path) => new URL(path, import.meta.url));
const HASH_LENGTH = 16;
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Read once in a process. */
let loaded: { style: Asset; scripts: readonly Asset[] } | undefined;

/** @throws where the script was not built */
export function dashboardAssets(): { style: Asset; scripts: readonly Asset[] } {
  loaded ??= {
    style: assetOf(
      'style.css',
      'text/css; charset=utf-8',
      Buffer.concat(STYLES.map((name) => readHere(`styles/${name}.css`))),
    ),
    scripts: Object.entries(SCRIPTS).map(([name, from]) =>
      assetOf(`${name}.js`, JAVASCRIPT, from === null ? readHere(`browser/${name}.js`) : readPackage(from)),
    ),
  };
  return loaded;
}

/**
 * What a page needs beside them, e.g. a plot's library.
 * @param file of a package, of `browser/`, or with `beside` one that the package does not export, by the file that it does
 */
export function extraAsset(name: string, file: { package: string; beside?: string } | { own: string }): Asset {
  const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : JAVASCRIPT;
  return assetOf(name, type, 'own' in file ? readHere(file.own) : readPackage(file.package, file.beside));
}

function readPackage(path: string, beside?: string): Buffer {
  const file = createRequire(import.meta.url).resolve(path);
  return readFileSync(beside === undefined ? file : join(dirname(file), beside));
}

function readHere(path: string): Buffer {
  const file = BUILDS.map((build) => new URL(path, build)).find((url) => existsSync(url));
  if (file === undefined) throw new Error(`dashboard/${path} is missing: run npm run build.`);
  return readFileSync(file);
}

function assetOf(name: string, type: string, bytes: Buffer): Asset {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  return {
    path: `/dashboard/assets/${hash}/${name}`,
    type,
    bodies: {
      identity: bytes,
      gzip: gzipSync(bytes),
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    },
  };
}

const A_YEAR = 31_536_000;

export function assetRoutes(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, bodies } of assets) {
    app.get(path, async (request, reply) => {
      const encoding = encodingFor(request);
      reply.headers({ 'cache-control': `public, max-age=${A_YEAR}, immutable`, vary: 'accept-encoding' });
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.type(type).send(bodies[encoding]);
    });
  }
}

function encodingFor({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

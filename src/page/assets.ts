/**
 * The scripts of the pay page: `/pay/assets/<hash>/<name>.js`. The hash is of the content, so that a browser keeps them for
 * good; they are compressed once, when they are loaded.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Processor } from '../payments/ports.ts';

export interface PageScript {
  /** `page`, or a processor's module. */
  name: string;
  /** The path that it is served at. */
  path: string;
  /** For `integrity` (Subresource Integrity): a browser runs nothing else. */
  integrity: string;
  bodies: Readonly<Record<Encoding, Buffer>>;
}

type Encoding = 'br' | 'gzip' | 'identity';

export type PageScripts = ReadonlyMap<string, PageScript>;

const HASH_LENGTH = 16;
/** Where the last build is: here; for tests, which run the sources; for benches, which are compiled into a folder of it. */
const BUILDS = ['../', '../../dist/', '../../../'].map((path) => new URL(path, import.meta.url));
const PAGE = 'page';

/** The page's own script, and the browser modules of the processors that have one. @throws where they were not built */
export function loadPageScripts(processors: readonly Processor[]): PageScripts {
  const modules = processors.flatMap(({ page, modes }) => modes.map((mode) => page(mode)?.module));
  const names = [...new Set(modules)].filter((name) => name !== undefined);
  return new Map([PAGE, ...names].map((name) => [name, loadScript(name)]));
}

function loadScript(name: string): PageScript {
  const path = name === PAGE ? 'page/browser/page.js' : `payments/${name}/browser/${name}.js`;
  const file = BUILDS.map((build) => new URL(path, build)).find((url) => existsSync(url));
  if (file === undefined) throw new Error(`${path} is missing: run npm run build.`);
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  return {
    name,
    path: `/pay/assets/${hash}/${name}.js`,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    bodies: {
      identity: bytes,
      gzip: gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    },
  };
}

const A_YEAR = 31_536_000;

export function pageScriptRoutes(app: FastifyInstance, scripts: PageScripts): void {
  for (const { path, bodies } of scripts.values()) {
    app.get(path, async (request, reply) => {
      const encoding = encodingFor(request);
      reply.headers({ 'cache-control': `public, max-age=${A_YEAR}, immutable`, vary: 'accept-encoding' });
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.type('text/javascript; charset=utf-8').send(bodies[encoding]);
    });
  }
}

function encodingFor({ headers }: FastifyRequest): Encoding {
  const accepted = String(headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

/**
 * What a page with the fields of a processor loads, in this order: the page's own script uses the processor's module. Each as
 * `<script type="module" src integrity nonce>`.
 * @param module null for a page without a vendor's fields
 */
export function scriptsOf(scripts: PageScripts, module: string | null): PageScript[] {
  return [module, PAGE].flatMap((name) => (name === null ? [] : (scripts.get(name) ?? [])));
}

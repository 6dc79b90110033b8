/** The scripts of the pay page: its own, and the browser modules of the processors. Served by `static-assets.ts`. */

import type { FastifyInstance } from 'fastify';
import type { Processor } from '../../payments/port/processor.ts';
import { hashedAsset, readBuilt, type StaticAsset } from '../shared/static-assets.ts';

export interface PageScript extends StaticAsset {
  /** `page`, or a processor's module. */
  name: string;
}

export type PageScripts = ReadonlyMap<string, PageScript>;

const PAGE = 'page';
/** The page's own script is built as two files, and served as one: the page then takes one request less. */
const PARTS_OF_PAGE = ['own-fields', PAGE];

/** The page's own script, and the browser modules of the processors that have one. @throws if they were not built */
export function loadPageScripts(processors: readonly Processor[]): PageScripts {
  const modules = processors.flatMap(({ page, modes }) => modes.map((mode) => page(mode)?.module));
  const names = [...new Set(modules)].filter((name) => name !== undefined);
  return new Map([PAGE, ...names].map((name) => [name, loadScript(name)]));
}

function loadScript(name: string): PageScript {
  const bytes =
    name === PAGE
      ? Buffer.concat(PARTS_OF_PAGE.map((part) => readBuilt(`http/pay-page/browser/${part}.js`)))
      : readBuilt(`payments/${name}/browser/${name}.js`);
  return { name, ...hashedAsset('/pay/assets', `${name}.js`, bytes) };
}

/**
 * The scripts of a page with the fields of a processor, in the order in which the page loads them: the page's own
 * script uses the processor's module. Each is a `<script type="module" src integrity nonce>`.
 * @param module null for a page without a vendor's fields
 */
export function scriptsOf(scripts: PageScripts, module: string | null): PageScript[] {
  return [module, PAGE].flatMap((name) => (name === null ? [] : (scripts.get(name) ?? [])));
}

/** developer.apple.com/documentation/applepayontheweb/configuring-your-environment */
export const ASSOCIATION_PATH = '/.well-known/apple-developer-merchantid-domain-association';

/** Apple reads this file when a processor registers the page's domain. @param file without it, the path does not exist */
export function associationRoute(app: FastifyInstance, file: Buffer | null): void {
  if (file === null) return;
  app.get(ASSOCIATION_PATH, async (_request, reply) => reply.type('text/plain').send(file));
}

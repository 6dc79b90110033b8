/** `GET /demo/texts`, in the demo only: the texts that the demo's callers were sent, newest first. */
import type { FastifyInstance } from 'fastify';
import type { AccountId } from '../../domain/ids.ts';
import type { Sql } from '../../db/pool.ts';
import { newestTestTexts, type ShownText } from '../../db/texts/texts.ts';

const SHOWN = 50;
const RELOAD_SECONDS = 3;

/** @param deps.demoAccount null where the demo is off: then there is no such page */
export function demoTextsRoute(app: FastifyInstance, deps: { database: Sql; demoAccount: AccountId | null }): void {
  const { database, demoAccount } = deps;
  if (demoAccount === null) return;
  app.get('/demo/texts', async (_request, reply) => {
    const texts = await newestTestTexts(database, demoAccount, SHOWN);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page(texts));
  });
}

function page(texts: readonly ShownText[]): string {
  const list =
    texts.length === 0
      ? '<p>No texts yet. Pay for something: <code>npm run call</code>.</p>'
      : texts.map(item).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<meta name="viewport" content="width=device-width"><title>Texts of the demo</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
article{background:#eef3ee;border-radius:1rem;padding:.75rem 1rem;margin:1rem 0}small{color:#555}p{margin:0}
</style></head><body><h1>Texts</h1>${list}</body></html>`;
}

function item({ recipient, body, status, segments, createdAt }: ShownText): string {
  const facts = `to ${recipient}, ${createdAt.toISOString()}, ${status}, ${segments} segment${segments === 1 ? '' : 's'}`;
  return `<article><p>${escaped(body)}</p><small>${escaped(facts)}</small></article>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

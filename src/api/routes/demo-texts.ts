/** `GET /demo/texts`, in the demo only: the texts that the demo's callers were sent, newest first. */
import type { FastifyInstance } from 'fastify';
import type { AccountId } from '../../domain/ids.ts';
import type { Sql } from '../../db/pool.ts';
import type { PayLinkDeps } from '../../checkout/pay-link.ts';
import { payCodeForm } from '../../domain/pay-codes.ts';
import { openBody } from '../../sms/sealed-body.ts';
import { newestTestTexts, type ShownText } from '../../db/texts/texts.ts';

const SHOWN = 50;
const RELOAD_SECONDS = 3;

export interface DemoTextsDeps extends Pick<PayLinkDeps, 'linkBase' | 'vault'> {
  database: Sql;
  /** Null where the demo is off: then there is no such page. */
  demoAccount: AccountId | null;
}

export function demoTextsRoute(app: FastifyInstance, { database, demoAccount, linkBase, vault }: DemoTextsDeps): void {
  if (demoAccount === null) return;
  const base = linkBase('test');
  app.get('/demo/texts', async (_request, reply) => {
    const texts = await newestTestTexts(database, demoAccount, SHOWN);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page(texts.map((text) => item(text, openBody(vault, text) ?? 'cannot be decrypted', base))));
  });
}

/** @param items HTML */
function page(items: readonly string[]): string {
  const list =
    items.length === 0 ? '<p>No texts yet. Pay for something: <code>npm run call</code>.</p>' : items.join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<meta name="viewport" content="width=device-width"><title>Texts of the demo</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
article{background:#eef3ee;border-radius:1rem;padding:.75rem 1rem;margin:1rem 0}small{color:#555}p{margin:0}
</style></head><body><h1>Texts</h1>${list}</body></html>`;
}

/** @param linkBase of pay links, null where there are none */
function item(text: ShownText, body: string, linkBase: string | null): string {
  const { recipient, status, segments, createdAt } = text;
  const facts = `to ${recipient}, ${createdAt.toISOString()}, ${status}, ${segments} segment${segments === 1 ? '' : 's'}`;
  const words = body.split(' ').map((word) => (isPayLink(word, linkBase) ? anchor(word) : escaped(word)));
  return `<article><p>${words.join(' ')}</p><small>${escaped(facts)}</small></article>`;
}

/** One of our own: nothing else that a merchant or an integrator wrote becomes a link. */
function isPayLink(word: string, linkBase: string | null): boolean {
  if (linkBase === null || !word.startsWith(`${linkBase}/p/`)) return false;
  return payCodeForm(word.slice(`${linkBase}/p/`.length)) === 'short';
}

function anchor(url: string): string {
  return `<a href="${escaped(url)}" target="_blank" rel="noopener">${escaped(url)}</a>`;
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

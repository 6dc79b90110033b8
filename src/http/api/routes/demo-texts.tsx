/** `GET /demo/texts`, in the demo only: the texts to the demo's callers, newest first. */
import type { FastifyInstance } from 'fastify';
import { Fragment } from 'preact';
import type { PayLinkDeps } from '../../../checkout/pay-link.ts';
import type { Sql } from '../../../db/pool.ts';
import { newestTestTexts, type ShownText } from '../../../db/texts/texts.ts';
import { type AccountId, payCodeForm } from '../../../domain/ids.ts';
import { openBody } from '../../../notifications/sms/sealed-body.ts';
import { renderDocument } from '../../shared/document.tsx';

const SHOWN = 50;
const RELOAD_SECONDS = 3;

interface DemoTextsDeps extends Pick<PayLinkDeps, 'linkBase' | 'vault'> {
  database: Sql;
  /** Null if the demo is off: then the page does not exist. */
  demoAccount: AccountId | null;
}

export function demoTextsRoute(app: FastifyInstance, { database, demoAccount, linkBase, vault }: DemoTextsDeps): void {
  if (demoAccount === null) return;
  const base = linkBase('test');
  app.get('/demo/texts', async (_request, reply) => {
    const texts = await newestTestTexts(database, demoAccount, SHOWN);
    const shown = texts.map((text) => ({
      text,
      linkBase: base,
      body: openBody(vault, text) ?? 'cannot be decrypted',
    }));
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
      .send(renderTexts(shown));
  });
}

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}
article{background:#eef3ee;border-radius:1rem;padding:.75rem 1rem;margin:1rem 0}small{color:#555}p{margin:0}
`;

function renderTexts(texts: readonly TextProps[]): string {
  return renderDocument({
    title: 'Demo texts',
    head: (
      <>
        <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
        <style>{STYLE}</style>
      </>
    ),
    body: (
      <body>
        <h1>Texts</h1>
        {texts.length === 0 && (
          <p>
            No texts yet. Make a payment: <code>npm run call</code>.
          </p>
        )}
        {texts.map((text, at) => (
          <Text key={at} {...text} />
        ))}
      </body>
    ),
  });
}

interface TextProps {
  text: ShownText;
  body: string;
  /** The base URL of pay links. Null if there are none. */
  linkBase: string | null;
}

function Text({ text: { recipient, status, segments, createdAt }, body, linkBase }: TextProps) {
  return (
    <article>
      <p>
        {body.split(' ').map((word, at) => (
          <Fragment key={at}>
            {at > 0 && ' '}
            {isPayLink(word, linkBase) ? <PayLink url={word} /> : word}
          </Fragment>
        ))}
      </p>
      <small>
        to {recipient}, {createdAt.toISOString()}, {status}, {segments} segment{segments !== 1 && 's'}
      </small>
    </article>
  );
}

const PayLink = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noopener">
    {url}
  </a>
);

/** Only our own pay links become links, not URLs that a merchant or integrator wrote. */
function isPayLink(word: string, linkBase: string | null): boolean {
  if (linkBase === null || !word.startsWith(`${linkBase}/p/`)) return false;
  return payCodeForm(word.slice(`${linkBase}/p/`.length)) === 'short';
}

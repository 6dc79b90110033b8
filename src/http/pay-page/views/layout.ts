/** The layout of every page: head, content, contacts, languages. */

import { accentStyle } from '../../../domain/accent.ts';
import { NO_BRANDING, type PageBranding } from '../../../domain/branding.ts';
import { readableNumber } from '../../../domain/phone-number.ts';
import { LANGUAGE_TAGS, languageFor } from '../../../languages/index.ts';
import { Html, html } from '../../../lib/html.ts';
import type { PageScript } from '../assets.ts';
import type { OnCall } from './on-call.ts';
import { STYLE } from './style.ts';
import type { Place } from './view.ts';

interface Framed {
  title: string;
  /** For previews in messaging apps: who is paid, never how much. Null if unknown. */
  business: string | null;
  /** The account's branding. Default: none. */
  branding?: PageBranding;
  /** Above the content. */
  banner?: Html;
  /** `data-state` and `data-version` of `main`. */
  state: string;
  version?: string;
  body: Html;
  /** What the payer has chosen, in the links to other languages. */
  query?: Readonly<Record<string, string>>;
  /** The state of the call, above everything else: it may ask the payer not to pay here. */
  live?: OnCall;
  /** Without JavaScript, the page reloads after this time. */
  reloadSeconds?: number;
  /** In loading order. */
  scripts?: readonly PageScript[];
}

export function framed(place: Place, { title, business, banner, state, version, ...page }: Framed): string {
  const { nonce, words, language } = place;
  const refresh = page.reloadSeconds;
  const { branding = NO_BRANDING } = page;
  const style = new Html(STYLE + accentStyle(branding.accentColor));
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<meta name="format-detection" content="telephone=no">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta property="og:title" content="${business ?? words.notFound.heading}">
<meta property="og:type" content="website">
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
${(page.scripts ?? []).map(
  (script) =>
    html`<script type="module" nonce="${nonce}" src="${script.path}" integrity="${script.integrity}"></script>`,
)}
${refresh === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
</head>
<body>
${banner ?? null}
<main data-state="${state}"${version === undefined ? null : html` data-version="${version}"`}>
<p id="live" class="live" aria-live="polite"${page.live?.isStop === true ? html` data-stop` : null}>${page.live?.text ?? ''}</p>
${page.body}
</main>
${footerOf(place, branding, page.query)}
</body>
</html>
`.text;
}

function footerOf(place: Place, branding: PageBranding, query: Framed['query']): Html {
  const links = LANGUAGE_TAGS.map((language) => {
    const current = language === place.language ? html` aria-current="true"` : null;
    const address = `?${new URLSearchParams({ lang: language, ...query }).toString()}`;
    return html`<li><a href="${address}" lang="${language}" hreflang="${language}"${current}>${languageFor(language).page.name}</a></li>`;
  });
  return html`<footer>${supportOf(place, branding)}${policiesOf(place, branding)}<nav aria-label="${place.words.language}"><ul>${links}</ul></nav></footer>`;
}

function supportOf({ words }: Place, { supportPhone, supportEmail }: PageBranding): Html | null {
  const phone = supportPhone === null ? [] : [html`<a href="tel:${supportPhone}">${readableNumber(supportPhone)}</a>`];
  const email =
    supportEmail === null ? [] : [html`<a href="mailto:${addressOfMail(supportEmail)}">${supportEmail}</a>`];
  const ways = [...phone, ...email];
  return ways.length === 0 ? null : html`<p class="support"><span>${words.support}</span> ${ways}</p>`;
}

/** RFC 6068: a `?` in the address would start header fields. */
const addressOfMail = (email: string) => encodeURIComponent(email).replace('%40', '@');

/** Opens in a new tab, so that the form keeps its values. */
function policiesOf({ words }: Place, { termsUrl, privacyUrl }: PageBranding): Html | null {
  const link = (url: string, text: string) =>
    html`<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`;
  const links = [
    ...(termsUrl === null ? [] : [link(termsUrl, words.terms)]),
    ...(privacyUrl === null ? [] : [link(privacyUrl, words.privacy)]),
  ];
  return links.length === 0 ? null : html`<p class="support">${links}</p>`;
}

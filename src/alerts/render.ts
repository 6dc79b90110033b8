/** The forms of an alert: text and HTML of an email, and the JSON of an incoming webhook of Slack. */
import { PAGE_COLORS } from '../domain/page-colors.ts';
import { type Html, html } from '../lib/html.ts';
import { MAIL_SMALL, mailPage, mailTable } from '../notifications/email/mail-page.ts';
import type { Email } from '../notifications/email/ports.ts';
import type { AlertBlock, AlertMessage } from './message.ts';
import { alertTexts } from './words/index.ts';

export function emailOf(message: AlertMessage): Pick<Email, 'subject' | 'text' | 'html'> {
  return { subject: message.subject, text: textOf(message), html: htmlOf(message).text };
}

function textOf({ language, heading, lead, blocks, footer, settings }: AlertMessage): string {
  const { labeled } = alertTexts(language);
  const parts = [
    `${heading}\n${lead}`,
    ...blocks.map(({ title, lines = [], rows = [], link }) =>
      [
        ...(title === heading ? [] : [title]),
        ...lines,
        ...rows.map(([label, value]) => labeled(label, value)),
        ...(link ? [link.url] : []),
      ].join('\n'),
    ),
    [footer, ...(settings ? [settings.url] : [])].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const LINK = `color:${PAGE_COLORS.accent.light}`;

function htmlOf({ language, subject, heading, lead, blocks, footer, settings }: AlertMessage): Html {
  return mailPage(
    { language, title: subject, width: 560 },
    html`<p style="margin:0;font-weight:600;color:${PAGE_COLORS.accent.light}">${lead}</p>
<h1 style="margin:16px 0 0;font-size:22px;line-height:1.3">${heading}</h1>
${blocks.map((block) => blockHtml(block, heading))}
<p style="${MAIL_SMALL}">${footer}${settings === null ? null : html` <a href="${settings.url}" style="${LINK}">${settings.label}</a>`}</p>`,
  );
}

/** A block with the title of the message repeats nothing. */
function blockHtml({ title, lines = [], rows = [], link }: AlertBlock, heading: string): Html {
  return html`${title === heading ? null : html`<h2 style="margin:24px 0 0;font-size:17px;line-height:1.3">${title}</h2>`}
${lines.map((line) => html`<p style="margin:8px 0 0">${line}</p>`)}
${rows.length === 0 ? null : html`<div style="margin:8px 0 0">${mailTable(rows)}</div>`}
${link ? html`<p style="margin:8px 0 0"><a href="${link.url}" style="${LINK}">${link.label}</a></p>` : null}`;
}

/** https://api.slack.com/reference/block-kit/blocks: the limits of a message, a header and a section. */
const MOST_BLOCKS = 50;
const MOST_OF_HEADER = 150;
const MOST_OF_SECTION = 3_000;

/** The body of a POST to an incoming webhook: `text` for notifications and programs without blocks. */
export function slackBody(message: AlertMessage): string {
  const { subject, heading, lead, blocks, footer, settings } = message;
  const sections = blocks.map((block) => ({ type: 'section', text: mrkdwn(sectionText(block, heading)) }));
  const ending = [escaped(footer), ...(settings ? [linkText(settings)] : [])].join(' ');
  return JSON.stringify({
    text: escaped(subject),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: heading.slice(0, MOST_OF_HEADER) } },
      { type: 'context', elements: [mrkdwn(escaped(lead))] },
      ...sections.slice(0, MOST_BLOCKS - 3),
      { type: 'context', elements: [mrkdwn(ending)] },
    ],
  });
}

function sectionText({ title, lines = [], rows = [], link }: AlertBlock, heading: string): string {
  return [
    ...(title === heading ? [] : [`*${escaped(title)}*`]),
    ...lines.map(escaped),
    ...rows.map(([label, value]) => `${escaped(label)}: ${escaped(value)}`),
    ...(link ? [linkText(link)] : []),
  ].join('\n');
}

/** `verbatim`: otherwise, Slack makes links of addresses and channels in the names of merchants and keys. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text: text.slice(0, MOST_OF_SECTION), verbatim: true });
const linkText = ({ label, url }: { label: string; url: string }) => `<${url}|${escaped(label)}>`;

/** https://api.slack.com/reference/surfaces/formatting: otherwise a merchant's name could mention a whole channel. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');

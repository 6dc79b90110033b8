/** The frame of an HTML email. Mail programs drop style sheets and lay out with tables, so each element has its own style. */
import { PAGE_COLORS } from '../../domain/page-colors.ts';
import { type Html, html } from '../../lib/html.ts';

interface MailPage {
  /** BCP 47. */
  language: string;
  title: string;
  /** In px. */
  width: number;
}

const { ground, slip, ink, quiet, line } = PAGE_COLORS;

/** Of the cells of a table with figures. */
const MAIL_CELL = `padding:6px 0;border-top:1px solid ${line.light};font-size:15px;vertical-align:top`;
export const MAIL_SMALL = `margin:16px 0 0;color:${quiet.light};font-size:14px`;

/** A table with a label and a value in each row. */
export const mailTable = (rows: readonly (readonly [label: string, value: string])[]): Html => html`
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${rows.map(
  ([label, value]) =>
    html`<tr><td style="${MAIL_CELL};color:${quiet.light}">${label}</td><td style="${MAIL_CELL};padding-left:12px;text-align:right">${value}</td></tr>`,
)}
</table>`;

export const mailPage = ({ language, title, width }: MailPage, content: Html): Html => html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:24px 12px;background:${ground.light};color:${ink.light};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:${width}px;background:${slip.light};border-radius:20px"><tr><td style="padding:24px;overflow-wrap:anywhere">
${content}
</td></tr></table>
</td></tr></table>
</body></html>
`;

/** Sends lists as CSV (RFC 4180). Pages are read from REST while the file is being sent. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface CsvExport<T> {
  /** Fields of the rows, in order. `charge.status` is a nested field. */
  columns: readonly string[];
  rowsBehind(startingAfter: string | undefined): Promise<{ rows: readonly T[]; hasMore: boolean }>;
  idOf(row: T): string;
}

/** The limit for one file. Users who need more narrow the filter or use REST. */
const MOST_ROWS = 50_000;

/** Reads the first rows before sending anything, so that an error can still be shown as a page. */
export async function sendCsv<T extends object>(
  reply: FastifyReply,
  name: string,
  file: CsvExport<T>,
): Promise<FastifyReply> {
  const first = await file.rowsBehind(undefined);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(linesOf(file, first)));
}

async function* linesOf<T extends object>(
  { columns, rowsBehind, idOf }: CsvExport<T>,
  first: { rows: readonly T[]; hasMore: boolean },
): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  let page = first;
  for (let sent = page.rows.length; ; sent += page.rows.length) {
    yield page.rows.map((row) => `${columns.map((column) => csvCell(valueAt(row, column))).join(',')}\r\n`).join('');
    const last = page.rows.at(-1);
    if (!page.hasMore || last === undefined || sent >= MOST_ROWS) return;
    page = await rowsBehind(idOf(last));
  }
}

function valueAt(row: object, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
      row,
    );
}

const PHONE_NUMBER = /^\+\d{4,15}$/;

/** Text that a spreadsheet reads as a formula (OWASP, CSV Injection), also in full width or after a line break. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Adds an apostrophe to text that a spreadsheet would read as a formula. Phone numbers do not need it. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isFormula = typeof value === 'string' && FORMULA.test(text) && !PHONE_NUMBER.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads comma-separated values with quotes (RFC 4180), as Adyen's reports have them. */

/** Rows of fields. Empty lines are left out, and a byte order mark is dropped. Null if a quote stays open. */
export function readCsv(text: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(field);
    if (row.length > 1 || field !== '') rows.push(row);
    [row, field] = [[], ''];
  };
  const content = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < content.length; at += 1) {
    const char = content[at];
    if (isQuoted && char === '"' && content[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) field += char;
    else if (char === ',') {
      row.push(field);
      field = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  endRow();
  return isQuoted ? null : rows;
}

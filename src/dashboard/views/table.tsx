/** A table whose rows lead to their objects; on a phone each row becomes two lines. */
import type { ComponentChildren } from 'preact';

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  /** How it is set: amounts, numbers, times, and what can be done stand at the right. */
  kind?: 'money' | 'number' | 'time' | 'action';
}

export interface TableProps<T> {
  /** What it is a table of, for screen readers. */
  label: string;
  /** The first one is what the row is called by; its cell is the link. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Where a row leads; rows of a table without it lead nowhere. */
  href?: (row: T) => string;
  /** The id of a row's link: by it the focus stays where the table is exchanged. */
  rowId?: (row: T) => string;
}

/** The roles say again what the elements say: browsers forget it where a style sheet makes blocks of them. */
export function Table<T>({ label, columns, rows, href, rowId }: TableProps<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above.
    <table role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, kind }) => (
            <th key={head} scope="col" role="columnheader" class={kind}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, at) => (
          <tr key={at} role="row">
            {columns.map(({ head, cell, kind }, place) => (
              <td key={head} role="cell" class={kind}>
                {place === 0 && href !== undefined ? (
                  <a id={rowId?.(row)} class="row-link" href={href(row)}>
                    {cell(row)}
                  </a>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above.
  );
}

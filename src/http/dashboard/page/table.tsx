/** A table whose rows link to their objects. On phones, each row becomes two lines. */
import type { ComponentChildren } from 'preact';

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  /**
   * The layout. Amounts, numbers, times and actions are aligned right. A name stays in one line, on phones in the first.
   * A detail is left out on phones and tablets, and the less important ones (`extra`) in all but wide windows.
   */
  kind?: 'money' | 'number' | 'time' | 'action' | 'name' | 'detail' | 'extra';
  /**
   * Its width in a table with fixed columns, if `kind` has none (parts.css). Default: an equal share of the rest. `cut` is
   * such a share too, whose text stays in one line.
   */
  width?: 'amount' | 'status' | 'state' | 'step' | 'card' | 'phone' | 'date' | 'id' | 'short' | 'cut';
  /** Whether phones, which show no heads, name the value in the cell. */
  isNamed?: true;
  /** The same, with a shorter name. */
  shortHead?: string;
  /** On phones: in the first line although it comes later, or left out. */
  onPhone?: 'first' | 'hidden';
}

interface TableProps<T> {
  /** The table's name for screen readers. */
  label: string;
  /** The first column names the row. Its cell is the link. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** The link of a row. Optional, also for each row. */
  href?: (row: T) => string | undefined;
  /** The widths of columns do not depend on the rows, so that nothing moves when these are replaced. */
  isFixed?: true;
  /** The ID of a row's link, which keeps the focus when the table is replaced. */
  rowId?: (row: T) => string;
}

/** A name in a column of that kind, cut if it is long. */
export const NameCell = ({ name }: { name: string }) => (
  <span class="name" dir="auto" title={name}>
    {name}
  </span>
);

/** The roles repeat the elements' own, because browsers drop those if CSS changes the elements' display. */
export function Table<T>({ label, columns, rows, href, rowId, isFixed }: TableProps<T>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above.
    <table role="table" class={isFixed && 'fixed'} aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.head} scope="col" role="columnheader" class={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, at) => (
          <tr key={at} role="row">
            {columns.map((column, place) => (
              <td key={column.head} role="cell" class={classOf(column)} data-head={namedOnPhones(column)}>
                {place === 0 ? (
                  <RowLink id={rowId?.(row)} href={href?.(row)}>
                    {column.cell(row)}
                  </RowLink>
                ) : (
                  column.cell(row)
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

function RowLink({
  id,
  href,
  children,
}: {
  id: string | undefined;
  href: string | undefined;
  children: ComponentChildren;
}) {
  if (href === undefined) return <>{children}</>;
  return (
    <a id={id} class="row-link" href={href}>
      {children}
    </a>
  );
}

/** @returns undefined for none, which leaves the attribute out */
const classOf = <T,>({ kind, width, onPhone }: Column<T>): string | undefined =>
  [kind, width && `is-${width}`, onPhone && `phone-${onPhone}`].filter(Boolean).join(' ') || undefined;

const namedOnPhones = <T,>({ head, isNamed, shortHead }: Column<T>): string | undefined =>
  shortHead ?? (isNamed && head);

/** Computes and formats figures. */

export interface Spread {
  count: number;
  median: number;
  p95: number;
}

export function spreadOf(values: readonly (number | null)[]): Spread {
  const sorted = values.filter((value) => value !== null).toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { count: sorted.length, median: at(0.5), p95: at(0.95) };
}

export function inMs({ count, median, p95 }: Spread): string {
  return count === 0 ? '-' : `${median.toFixed(1)} / ${p95.toFixed(1)} ms`;
}

export const inKb = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;

/** A figure and its target: printed, never asserted. */
export function aimResult(value: number, aim: number): string {
  return Number.isNaN(value) ? 'not measured' : value <= aim ? 'met' : 'MISSED';
}

/** Lines with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}`).join('\n');
}

/** The most frequent of these words, with their counts. */
export function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, 8);
  return sorted.map(([word, count]) => `${count} × ${word}`).join(', ') || 'none';
}

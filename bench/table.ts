/** Rows of cells in aligned columns: the first column to the left, the others to the right. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows
    .map(row =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
    )
    .map(cells => `  ${cells.join('  ')}`.trimEnd())
    .join('\n')
}

/** Three digits that matter, and never an exponent. */
export function figure(ratio: number): string {
  if (ratio >= 100) return ratio.toFixed(0)
  if (ratio >= 10) return ratio.toFixed(1)
  return ratio < 0.01 ? ratio.toFixed(4) : ratio.toFixed(ratio < 1 ? 3 : 2)
}

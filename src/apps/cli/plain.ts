import { escapeCharacter, printable } from '../../core/printable.ts'

export { escapeCharacter, printable as plain }

/** Escapes a text and cuts it to a width, with an ellipsis at the cut. */
export function shorten(text: string, width: number): string {
  const line = printable(text.slice(0, width + 1))
  if (line.length <= width) return line
  const cut = line.slice(0, Math.max(width - 1, 0))
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

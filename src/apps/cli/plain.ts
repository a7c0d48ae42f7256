import { plain, spellOut } from '../../core/plain.ts'

export { plain, spellOut }

/** Plain text that is cut to a width; a cut is shown. */
export function shorten(text: string, width: number): string {
  const line = plain(text.slice(0, width + 1))
  if (line.length <= width) return line
  const cut = line.slice(0, Math.max(width - 1, 0))
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

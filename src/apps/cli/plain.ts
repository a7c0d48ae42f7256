/** Text in one line that cannot move the cursor or colour a terminal: control characters are written out. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, spellOut)

/** The same, cut to a width; a cut is shown. */
export function shorten(text: string, width: number): string {
  const line = plain(text.slice(0, width + 1))
  if (line.length <= width) return line
  const cut = line.slice(0, Math.max(width - 1, 0))
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

export const spellOut = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const short: Record<string, string | undefined> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

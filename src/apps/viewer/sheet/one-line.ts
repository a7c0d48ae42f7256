/** A text on one line, cut at a character if it is too long. Nothing in it can break a line or turn its direction round. */
export function oneLine(text: string, lengthMax = wordsMax): string {
  const line = cut(text, 4 * lengthMax)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= lengthMax && text.length <= 4 * lengthMax ? line : `${cut(line, lengthMax - 1)}…`
}

export const wordsMax = 240

/** The first so many units of a text, without half a character at the end. */
const cut = (text: string, length: number): string =>
  /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? text.slice(0, length - 1) : text.slice(0, length)

const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/gu

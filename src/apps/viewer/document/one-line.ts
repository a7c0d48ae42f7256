/** A text on one line, cut if it is too long. Control characters and changes of the writing direction are removed. */
export function oneLine(text: string, lengthMax = previewMax): string {
  const line = cut(text, 4 * lengthMax)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= lengthMax && text.length <= 4 * lengthMax ? line : `${cut(line, lengthMax - 1)}…`
}

export const previewMax = 240

/** The first `length` UTF-16 units of a text, without half a surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? text.slice(0, length - 1) : text.slice(0, length)

const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/gu

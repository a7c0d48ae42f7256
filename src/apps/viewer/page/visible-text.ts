import { spellOut } from '../../../core/printable.ts'

/**
 * Spells out control characters, bidirectional controls and invisible characters, such as `\u202e`. Otherwise a text could hide or reorder
 * what a user approves, and put something else on the clipboard than what is shown.
 */
export const visibleText = (text: string): string =>
  text.replace(hidden, found => found.split('').map(spellOut).join(''))

/** Line ends and tabs are shown as they are. */
const hidden = /(?!\t|\n|\r\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu

/** Text as one line that cannot move the cursor or colour a terminal: control characters are escaped. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escapeCharacter)

export const escapeCharacter = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const short: Record<string, string | undefined> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A text as one word of a command that people copy into a shell. Quotes and backslashes stand outside of quotes: inside them, fish gives a backslash a
 * meaning. Characters that cannot be seen are spelled out, because a terminal acts on some of them while a command is pasted: a tab completes a
 * file name and closes the quotes.
 */
export const shellWord = (word: string): string => {
  if (plainWord.test(word)) return word
  return word === '' ? "''" : word.replace(pieces, quotePiece)
}

/** In zsh, a word that begins with an equals sign is the path of a program. */
const plainWord = /^(?!=)[\w./:@%+=,-]+$/

const hidden = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`

const pieces = new RegExp(String.raw`[${hidden}]+|['\\]|[^'\\${hidden}]+`, 'gu')

const isHidden = new RegExp(`^[${hidden}]`, 'u')

function quotePiece(piece: string): string {
  if (piece === "'" || piece === '\\') return `\\${piece}`
  return isHidden.test(piece) ? `$'${octal(piece)}'` : `'${piece}'`
}

const octal = (text: string): string =>
  Array.from(new TextEncoder().encode(text), byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')

import { escapeCharacter } from '../../../core/printable.ts'

/**
 * Spells out control characters, bidirectional controls and invisible characters, such as `\u202e`. Otherwise a text could hide or reorder
 * what a user approves, and put something else on the clipboard than what is shown.
 */
export const visibleText = (text: string): string =>
  text.replace(hidden, found => found.split('').map(escapeCharacter).join(''))

/** A letter of a script that needs joiners, or a part of an emoji. */
const joined = String.raw`(?:(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}]|\p{Extended_Pictographic}|\p{Emoji_Modifier})`

/** Line ends and tabs are shown as they are, and so are joiners and the selector of an emoji in their places. */
const shown = String.raw`\t|\n|\r\n|(?<=${joined}\ufe0f?)[\u200c\u200d](?=${joined})|(?<=[\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f]`

const hidden = new RegExp(
  String.raw`(?!${shown})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`,
  'gu',
)

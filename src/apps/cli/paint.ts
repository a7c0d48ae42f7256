import { styleText } from 'node:util'

type Style = Extract<Parameters<typeof styleText>[0], unknown[]>

export type TextStyle = 'error' | 'warning' | 'repaired' | 'place' | 'fix' | 'strong' | 'faint'

export type Paint = (piece: TextStyle, text: string) => string

/** Colours for a stream: none unless it is a terminal, or the environment says otherwise (NO_COLOR, FORCE_COLOR). */
export const painter = (stream: NodeJS.WriteStream): Paint => {
  return (piece, text) => styleText(styles[piece], text, { stream })
}

const styles: Record<TextStyle, Style> = {
  error: ['red', 'bold'],
  warning: ['yellow', 'bold'],
  repaired: ['green', 'bold'],
  place: ['cyan'],
  fix: ['green'],
  strong: ['bold'],
  faint: ['dim'],
}

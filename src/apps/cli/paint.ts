import { styleText } from 'node:util'

type Style = readonly Exclude<Parameters<typeof styleText>[0], readonly unknown[]>[]

export type TextStyle = 'error' | 'warning' | 'repaired' | 'place' | 'fix' | 'strong' | 'faint'

export type Paint = (piece: TextStyle, text: string) => string

/** Colours for a stream: none unless it is a terminal, or the environment says otherwise (NO_COLOR, FORCE_COLOR). */
export const painter = (stream: NodeJS.WriteStream): Paint => {
  // One style at a time: with a list of them, Node 20 does not look at the stream.
  return (piece, text) => styles[piece].reduceRight((inner, style) => styleText(style, inner, { stream }), text)
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

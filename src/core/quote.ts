/**
 * Text of a document, a tool or a picture in a message of another speaker. Every line is marked, so that nothing in the text can end the
 * quote: the model must not take it for what the user says.
 */
export const quoteLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map(line => `> ${line}`)
    .join('\n')

/** A name or an address in one line, without brackets, for a label in brackets. */
export const quoteLabel = (text: string): string =>
  text
    .slice(0, labelMax)
    .replaceAll(/[\p{C}\p{Z}[\]]+/gu, ' ')
    .trim()

const labelMax = 300

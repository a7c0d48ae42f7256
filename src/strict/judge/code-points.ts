/** The length of a text as providers count it: characters outside the basic plane count once. */
export const codePoints = (text: string): number => Array.from(text).length

/** How long a text is to the providers: letters outside the basic plane count once. */
export const codePoints = (text: string): number => Array.from(text).length

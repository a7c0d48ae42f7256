/** The beginning of a text, which says that there is more. */
export const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text)

import { styleText } from 'node:util'

/** A titled part of the report: what it shows, how it is to be read, and its tables. */
export function section(title: string, note: string, ...parts: string[]): string {
  return ['', styleText('bold', title), dim(note), ...parts].join('\n')
}

export const dim = (text: string) => styleText('dim', text)

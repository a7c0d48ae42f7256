import { unwrap } from '../src/apps/unwrap/unwrap.ts'
import { refused, requests, series } from '../test/apps/unwrap/kinds.ts'

/** The kinds of input that a history is taken out of, as their tests have them, and what comes of each: read here, not copied. */
export function inputKindTables(): string {
  const read = [...requests, ...series].map(([name, text]) => {
    const found = unwrap(text)
    if (!found || !('found' in found)) throw new Error(`nothing is found in ${name}`)
    const places = found.found.map(({ at }) => (at === '' ? 'the whole input' : `\`${at}\``)).join(' and ')
    return `| ${name} | ${found.kind} | ${places} |`
  })
  const errors = refused.map(([name, text]) => {
    const found = unwrap(text)
    if (!found || 'found' in found) throw new Error(`${name} is not refused`)
    return `| ${name} | ${found.problem} |`
  })
  return [
    ...['| input | taken out of | found at |', '|---|---|---|', ...read, ''],
    ...['These are refused with one line, and nothing is guessed:', ''],
    ...['| input | error |', '|---|---|', ...errors],
  ].join('\n')
}

import { resolve } from 'node:path'
import { isUrl } from '../peek.ts'

/** The command that repairs a conversation. A store with several needs its id. */
export const fixCommand = (path: string, id: string): string =>
  ['antiphon doctor --fix', shellWord(placeOf(path)), ...(path.includes(id) ? [] : ['--session', shellWord(id)])].join(
    ' ',
  )

/** The command that undoes the repair. It names a database server by its URL, because a backup stores no password. */
export const undoCommand = (backup: string, path: string): string =>
  ['antiphon doctor --restore', shellWord(resolve(backup)), ...(isUrl(path) ? [shellWord(path)] : [])].join(' ')

const placeOf = (path: string): string => (isUrl(path) ? path : resolve(path))

/** Quoted for a shell. */
const shellWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

import { resolve } from 'node:path'
import { shellWord } from '../../core/shell-word.ts'
import { isUrl } from '../peek.ts'

/** The command that repairs a conversation, and no other one in its store. */
export const fixCommand = (path: string, id: string): string =>
  ['antiphon doctor --fix', shellWord(placeOf(path)), '--session', shellWord(id)].join(' ')

/** The command that prints a conversation, also one that cannot be repaired. */
export const extractCommand = (path: string, id: string): string =>
  ['antiphon extract', shellWord(placeOf(path)), '--session', shellWord(id)].join(' ')

/** The command that undoes the repair. It names a database server by its URL, because a backup stores no password. */
export const undoCommand = (backup: string, path: string): string =>
  ['antiphon doctor --restore', shellWord(resolve(backup)), ...(isUrl(path) ? [shellWord(path)] : [])].join(' ')

const placeOf = (path: string): string => (isUrl(path) ? path : resolve(path))

import type { DialectId } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { placeOf } from '../../../doctor/address.ts'
import { failureReason, unreadable } from '../../../doctor/files/file-error.ts'
import { lookAtJournal, openUntrustedJournal } from '../../../doctor/files/look-at-journal.ts'
import { readSource } from '../../../doctor/files/source.ts'
import { isSqlite } from '../../../doctor/files/sqlite-schema-tree.ts'
import { isUrl, peekAt } from '../../../doctor/peek.ts'
import { schemaText } from '../../../doctor/schema-text.ts'
import type { System } from '../../../doctor/system.ts'
import { systems } from '../../../doctor/systems.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { openStore } from '../../../journal/stores/open-store.ts'
import { isTape } from '../../../observe/tape/read-tape.ts'
import type { Source } from '../protocol.ts'
import { Hand } from './hand.ts'
import { openHistory } from './history-source.ts'
import { type JournalChoices, openJournalSource } from './journal-source.ts'
import type { OpenSource } from './open-source.ts'
import { openStores } from './store-source.ts'
import { openTape } from './tape-source.ts'
import { unreadableSource } from './unreadable-source.ts'

export interface OpenOptions extends JournalChoices {
  /** Who reads histories and threads. By default the provider whose format it is, or the one that answered last. */
  readonly for?: DialectId
  /** Only stores of this system, by its id. */
  readonly system?: string
  /** The PostgreSQL schema of a journal. */
  readonly schema?: string
}

export interface Opened {
  readonly sources: readonly OpenSource[]
  /** Why some could not be opened. They stand among the sources all the same. */
  readonly troubles: readonly Error[]
}

/** Opens all paths. Throws in one clear line if none of them can be read. */
export async function openSources(paths: readonly string[], options: OpenOptions): Promise<Opened> {
  const sources: OpenSource[] = []
  const troubles: Error[] = []
  for (const [index, path] of paths.entries()) {
    const id = String(index + 1)
    try {
      sources.push(await openOne(id, path, options))
    } catch (error) {
      const trouble = AntiphonError.is(error) ? error : unreadable(shownName(path), failureReason(error))
      troubles.push(trouble)
      sources.push(unreadableSource({ id, kind: 'history', name: shownName(path) }, trouble))
    }
  }
  if (troubles.length > 0 && troubles.length === paths.length) throw allBad(troubles)
  return { sources, troubles }
}

/** Each says what is wrong with its own path. */
function allBad(troubles: readonly Error[]): Error {
  if (troubles.length === 1) return troubles[0]
  return new AntiphonError('unreadable', troubles.map(({ message }) => message).join('; '))
}

/** Told by its structure, never by its name. */
async function openOne(id: string, path: string, options: OpenOptions): Promise<OpenSource> {
  const name = shownName(path)
  const chosen = systems.filter(system => options.system === undefined || system.id === options.system)
  const store = (place: string, known: readonly System[]) => openStores({ id, kind: 'store', name }, place, known)
  if (isUrl(path)) return openAddress({ id, kind: 'journal', name }, path, chosen, options)
  if (path === '-') return openGiven({ id, kind: 'history', name }, options)
  const file = path.replace(/^sqlite:(\/\/)?/, '')
  if (/^[a-z+]{2,}:\/\//i.test(file))
    throw unreadable('the given address', 'nothing is kept at such an address', 'a file, a folder, or postgres://...')
  const peek = peekAt(file)
  if (options.system !== undefined || peek.kind === 'directory') return store(file, chosen)
  if (schemaText(peek).includes('antiphon_thread')) {
    const journal = await lookAtJournal(file)
    return openJournalSource(
      { id, kind: 'journal', name },
      journal,
      new Hand(() => openUntrustedJournal(file)),
      options,
    )
  }
  if (isTape(peek.headText().replace(/^\uFEFF/, ''))) return openTape({ id, kind: 'tape', name }, file)
  const found = chosen.find(system => system.id !== 'plain' && system.recognises(peek))
  if (found) return store(file, [found])
  if (isSqlite(peek.head()))
    throw unreadable(name, 'it is a database of no system that is known', 'antiphon doctor --help lists them')
  return openHistory({ id, kind: 'history', name }, file, readerOf(options))
}

/** A database server holds a journal, or what a system keeps there. */
async function openAddress(
  source: Source,
  address: string,
  chosen: readonly System[],
  options: OpenOptions,
): Promise<OpenSource> {
  const known = chosen.filter(system => system.recognises(peekAt(address)))
  try {
    if (options.system === undefined) {
      const named = options.schema === undefined ? {} : { schema: options.schema }
      const journal = await lookAtJournal(address, named)
      const hand = new Hand(() => openStore(address, { reconnectMs: 2_000, connections: 2, ...named }))
      return openJournalSource(source, journal, hand, options)
    }
  } catch (error) {
    const holdsNone = AntiphonError.is(error) && error.code === 'journal-damaged'
    if (!holdsNone || known.length === 0) throw error
    return await openStores({ ...source, kind: 'store' }, address, known).catch(() => {
      throw error
    })
  }
  return openStores({ ...source, kind: 'store' }, address, known)
}

/** Standard input can be read only once, so what it holds is kept. */
async function openGiven(source: Source, options: OpenOptions): Promise<OpenSource> {
  const given = await readSource('-')
  if (isTape(given.text)) return openTape({ ...source, kind: 'tape' }, '-', given.text)
  return openHistory(source, given, readerOf(options))
}

const readerOf = ({ for: reader }: OpenOptions): HealOptions => (reader === undefined ? {} : { for: reader })

/** What people may read: an address without its password. */
const shownName = (path: string): string => (isUrl(path) ? placeOf(path) : path === '-' ? '<stdin>' : path)

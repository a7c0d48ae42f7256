import type { DialectId } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { addressWithoutPassword } from '../../../doctor/address.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import { lookAtJournal, openUntrustedJournal } from '../../../doctor/files/look-at-journal.ts'
import { readSource } from '../../../doctor/files/source.ts'
import { isSqlite } from '../../../doctor/files/sqlite-schema-tree.ts'
import { isUrl, peekAt } from '../../../doctor/peek.ts'
import { systemsAt } from '../../../doctor/postgres/systems-at.ts'
import { schemaText } from '../../../doctor/schema-text.ts'
import type { System } from '../../../doctor/system.ts'
import { systems } from '../../../doctor/systems.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { transportToJoin } from '../../../journal/live/transport-to-join.ts'
import { openStore } from '../../../journal/stores/open-store.ts'
import type { Store } from '../../../journal/stores/store.ts'
import { isTape } from '../../../observe/tape/read-tape.ts'
import { type GraphChoices, openGraphs } from '../../graphs/open-graphs.ts'
import type { SourceInfo } from '../protocol.ts'
import { openFound } from './found-source.ts'
import { withGraphs } from './graph-source.ts'
import { openHistory } from './history-source.ts'
import { type Join, JournalActions } from './journal-actions.ts'
import { type JournalChoices, openJournalSource } from './journal-source.ts'
import { LiveWords } from './live-words.ts'
import type { OpenSource } from './open-source.ts'
import { openStores } from './store-source.ts'
import { openTapeSource } from './tape-source.ts'
import { unreadableSource } from './unreadable-source.ts'

export interface SourceOptions extends JournalChoices {
  /** The provider to check for. By default the provider whose format it is, or the one that answered a thread last. */
  readonly for?: DialectId
  /** Only stores of this program, by its id. */
  readonly system?: string
  /** The PostgreSQL schema of a journal. */
  readonly schema?: string
  /**
   * Where the processes of a journal tell each other what they stream: `true` for its PostgreSQL server, or the address of another server. The socket next
   * to an SQLite file is used without it.
   */
  readonly live?: string
}

export interface OpenedSources {
  readonly sources: readonly OpenSource[]
  /** Why some could not be opened. They are listed among the sources, too. */
  readonly failures: readonly Error[]
}

/** Opens all paths. Throws an error with one line if none of them can be read. */
export async function openSources(paths: readonly string[], options: SourceOptions): Promise<OpenedSources> {
  const sources: OpenSource[] = []
  const failures: Error[] = []
  for (const [index, path] of paths.entries()) {
    const id = String(index + 1)
    try {
      sources.push(await openOne(id, path, options))
    } catch (error) {
      const failure = AntiphonError.is(error) ? error : fileError(shownName(path), failureReason(error))
      failures.push(failure)
      sources.push(unreadableSource({ id, kind: 'history', name: shownName(path) }, failure))
    }
  }
  if (failures.length > 0 && failures.length === paths.length) throw allFailed(failures)
  return { sources, failures }
}

/** One error with all messages. */
function allFailed(failures: readonly Error[]): Error {
  const [first, second] = failures
  if (first && !second) return first
  return new AntiphonError('unreadable', failures.map(({ message }) => message).join('; '))
}

/** Recognizes a source by its structure, never by its name. */
async function openOne(id: string, path: string, options: SourceOptions): Promise<OpenSource> {
  const name = shownName(path)
  const chosen = systems.filter(system => options.system === undefined || system.id === options.system)
  const store = (place: string, known: readonly System[]) => openStores({ id, kind: 'store', name }, place, known)
  if (isUrl(path)) return openAddress({ id, kind: 'journal', name }, path, chosen, options)
  if (path === '-') return openStandardInput({ id, kind: 'history', name }, options)
  const file = path.replace(/^sqlite:(\/\/)?/, '')
  if (/^[a-z+]{2,}:\/\//i.test(file))
    throw fileError('the given URL', 'unsupported kind of URL', 'use a file, a folder, or postgres://...')
  const peek = peekAt(file)
  if (options.system !== undefined || peek.kind === 'directory') return store(file, chosen)
  if (schemaText(peek).includes('antiphon_thread')) {
    const journal = await lookAtJournal(file)
    const join = () => transportToJoin(file, { live: options.live })
    const actions = new JournalActions(() => openUntrustedJournal(file), join)
    const words = await wordsOf(journal, join)
    return addGraphs(file, {}, openJournalSource({ id, kind: 'journal', name }, journal, actions, options, words))
  }
  if (isTape(peek.headText().replace(/^\uFEFF/, ''))) return openTapeSource({ id, kind: 'tape', name }, file)
  const found = chosen.find(system => system.id !== 'plain' && system.recognises(peek))
  if (found) return store(file, [found])
  if (isSqlite(peek.head()))
    throw fileError(name, 'unknown kind of database', 'antiphon doctor --help lists the supported programs')
  const source: SourceInfo = { id, kind: 'history', name }
  const chosenOptions = dialectOption(options)
  try {
    return await openHistory(source, file, chosenOptions)
  } catch (error) {
    if (peek.kind !== 'file') throw error
    return openFound(source, await readSource(file), chosenOptions, error)
  }
}

async function wordsOf(journal: Store, join: Join): Promise<LiveWords | undefined> {
  try {
    const transport = await join()
    return transport && new LiveWords(journal, transport)
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** Adds the LangGraph checkpoints in the same place, if there are any. */
async function addGraphs(place: string, choices: GraphChoices, journal: OpenSource): Promise<OpenSource> {
  try {
    const graphs = await openGraphs(place, choices)
    return graphs ? withGraphs(journal.source, graphs, journal) : journal
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** A database server has a journal, or the store of a program. */
async function openAddress(
  source: SourceInfo,
  address: string,
  chosen: readonly System[],
  options: SourceOptions,
): Promise<OpenSource> {
  const known = chosen.filter(({ tables }) => tables !== undefined)
  const open = async () => openStores({ ...source, kind: 'store' }, address, await systemsAt(address, known))
  try {
    if (options.system === undefined) {
      const named = options.schema === undefined ? {} : { schema: options.schema }
      const journal = await lookAtJournal(address, named)
      const join = () => transportToJoin(address, options)
      const openWritable = () => openStore(address, { reconnectMs: 2_000, connections: 2, ...named })
      const actions = new JournalActions(openWritable, join)
      const words = await wordsOf(journal, join)
      return await addGraphs(address, named, openJournalSource(source, journal, actions, options, words))
    }
  } catch (error) {
    const hasNoJournal = AntiphonError.is(error) && error.code === 'journal-damaged'
    if (!hasNoJournal || known.length === 0) throw error
    const graphs = await openGraphs(address, options.schema === undefined ? {} : { schema: options.schema })
    if (graphs) return withGraphs(source, graphs)
    return await open().catch(() => {
      throw error
    })
  }
  return open()
}

/** Standard input can be read only once, so its text is kept. */
async function openStandardInput(source: SourceInfo, options: SourceOptions): Promise<OpenSource> {
  const given = await readSource('-')
  if (isTape(given.text)) return openTapeSource({ ...source, kind: 'tape' }, '-', given.text)
  try {
    return await openHistory(source, given, dialectOption(options))
  } catch (error) {
    return openFound(source, given, dialectOption(options), error)
  }
}

const dialectOption = ({ for: dialect }: SourceOptions): HealOptions => (dialect === undefined ? {} : { for: dialect })

/** The name for people: a URL without its password. */
const shownName = (path: string): string =>
  isUrl(path) ? addressWithoutPassword(path) : path === '-' ? '<stdin>' : path

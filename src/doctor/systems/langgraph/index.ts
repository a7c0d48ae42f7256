import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { fileError } from '../../files/file-error.ts'
import { isUrl } from '../../peek.ts'
import { schemaText } from '../../schema-text.ts'
import { type Database, openDatabase } from '../../sqlite.ts'
import type { ConversationStore, Examination, RejectionExamination, StoredConversation, System } from '../../system.ts'
import { type CheckpointThread, furtherChannels, idOf, threadsOf } from './checkpoint.ts'
import { examineThreadRejection } from './examine-rejection.ts'
import { examineThread } from './examine-thread.ts'
import { examinePythonThread } from './python/examine-python.ts'
import { restoreMessages } from './python/kept-messages.ts'
import { openPostgresThreads } from './python/postgres-threads.ts'
import type { PythonSource } from './python/python-source.ts'
import { furtherPythonChannels, sqliteSource } from './python/sqlite-source.ts'
import { checkpointTables } from './python/tables.ts'
import { type ThreadReads, threadReadsOf } from './thread-reads.ts'

/**
 * Checkpoints of LangGraph: of `SqliteSaver` for JavaScript and for Python, and of `PostgresSaver` for Python. Each thread, and each subgraph of it, is a
 * conversation.
 */
export const langgraph: System = {
  id: 'langgraph',
  title: 'LangGraph',
  places: ({ folder }) => files.map(file => join(folder, ...file)),
  recognises(peek) {
    if (peek.kind === 'url') return true
    const schema = schemaText(peek)
    return tables.test(schema) && columns.every(column => schema.includes(column))
  },
  tables: checkpointTables.tables,
  restore: restoreMessages,
  async open(path) {
    if (isUrl(path)) return openPostgresThreads(path)
    const database = openDatabase(path, ['checkpoints', 'writes'])
    try {
      const threads = threadsOf(database.look)
      const [first] = threads
      if (first && threads.every(({ type }) => !types.has(type))) throw fileError(path, foreignType(first.type))
      return storeOf(path, database, threads)
    } catch (error) {
      database.close()
      throw error
    }
  },
}

function storeOf(path: string, database: Database, threads: readonly CheckpointThread[]): ConversationStore {
  const placeOf = (thread: CheckpointThread, channel?: string): string => `${path}, thread ${idOf(thread, channel)}`
  let last: { readonly look: DatabaseSync; readonly state: ThreadReads } | undefined
  // Channels of one thread are read one after the other; after a change they are read again.
  const stateOf = (thread: CheckpointThread): ThreadReads => {
    const { look } = database
    if (last?.look !== look || last.state.thread !== thread)
      last = { look, state: threadReadsOf(look, thread, placeOf(thread)) }
    return last.state
  }
  let lastPython: { readonly look: DatabaseSync; readonly source: PythonSource } | undefined
  const pythonSourceOf = (thread: CheckpointThread): PythonSource => {
    const { look } = database
    if (lastPython?.look !== look || lastPython.source.thread !== thread)
      lastPython = { look, source: sqliteSource(database, thread, placeOf(thread)) }
    return lastPython.source
  }
  const conversationOf = (thread: CheckpointThread, channel?: string): StoredConversation => {
    const { type } = thread
    const id = idOf(thread, channel)
    const place = placeOf(thread, channel)
    const examine = async (): Promise<Examination> => {
      if (type === 'msgpack') return examinePythonThread(pythonSourceOf(thread), place, channel)
      if (type !== 'json') throw fileError(place, foreignType(type))
      return examineThread(database, stateOf(thread), place, channel)
    }
    const examineFor = async (rejection: Rejection): Promise<RejectionExamination> =>
      examineThreadRejection(database, stateOf(thread), place, channel, rejection)
    return { id, examine, ...(type === 'json' && { examineRejection: examineFor }) }
  }
  return {
    *conversations() {
      for (const thread of threads) {
        yield conversationOf(thread)
        if (!types.has(thread.type)) continue
        const further = thread.type === 'json' ? furtherChannels : furtherPythonChannels
        for (const channel of further(database.look, thread)) yield conversationOf(thread, channel)
      }
    },
    close: () => database.close(),
  }
}

const foreignType = (type: CheckpointThread['type']): string =>
  `its checkpoints are written as ${type}, and only those of JavaScript (json) and of Python (msgpack) can be read`

const types: ReadonlySet<string> = new Set(['json', 'msgpack'])

const tables = /CREATE TABLE\s+(IF NOT EXISTS\s+)?["`[]?checkpoints\b/i
const columns = ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id', 'channel']

/** Where programs are known to keep them, madz first; the saver itself has no default place. */
const files: readonly (readonly string[])[] = [
  ['memory', 'checkpoints', 'checkpoints.db'],
  ['memory', 'checkpoints', 'langgraph.db'],
  ['memory', 'checkpoints.db'],
  ['checkpoints.db'],
  ['checkpoints.sqlite'],
]

import { dirname, join, resolve } from 'node:path'
import type { ConversationStore, System } from '../../system.ts'
import { examineMadzSession } from './examine-session.ts'
import { frontOf, readSession } from './session-file.ts'

/** The session files of madz. Its LangGraph checkpoints are a separate system. */
export const madz: System = {
  id: 'madz',
  title: 'madz',
  places: ({ folder }) => ['sessions', 'conversations'].map(name => join(folder, 'memory', name)),
  program: {
    processes: [
      { names: ['madz'], worksIn: isHome },
      { names: ['node'], isRuntime: true, worksIn: isHome },
    ],
  },
  recognises(peek) {
    if (peek.kind !== 'file' || !peek.name.endsWith('.md')) return false
    const text = peek.headText().replace(/^\uFEFF/, '')
    const front = frontOf(text)
    if (!front) return /^---\r?\nthreadId:/.test(text)
    return marks.some(keys => keys.every(key => key.test(front.text))) && /^\s*(\[|$)/.test(front.body)
  },
  async open(path) {
    const session = readSession(path)
    const store: ConversationStore = {
      *conversations() {
        yield { id: session.id, examine: async () => examineMadzSession(session) }
      },
      close: () => undefined,
    }
    return store
  },
}

/** Sessions are stored in `memory/sessions` of the program's working directory, and written as a whole. */
function isHome(path: string): (folder: string) => boolean {
  const home = dirname(dirname(dirname(resolve(path))))
  return folder => folder === home
}

/** The keys before the list, today and in the first versions. An unsaved session has no id. */
const marks = [
  [/^messageCount:/m, /^(threadId|startedAt):/m],
  [/^sessionId:/m, /^provider:/m],
]

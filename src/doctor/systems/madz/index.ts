import { dirname, join, resolve } from 'node:path'
import type { Store, System } from '../../system.ts'
import { examineSession } from './examine-session.ts'
import { frontOf, readSession } from './session-file.ts'

/** The session files of madz. Its LangGraph checkpoints are a system of their own. */
export const madz: System = {
  id: 'madz',
  title: 'madz',
  places: ({ folder }) => ['sessions', 'conversations'].map(name => join(folder, 'memory', name)),
  program: {
    marks: [
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
    const store: Store = {
      *conversations() {
        yield { id: session.id, examine: async () => examineSession(session) }
      },
      close: () => undefined,
    }
    return store
  },
}

/** Sessions are kept in `memory/sessions` of the folder that the program was started in, and written whole. */
function isHome(path: string): (folder: string) => boolean {
  const home = dirname(dirname(dirname(resolve(path))))
  return folder => folder === home
}

/** The keys in front of the list, today and in the first versions. A session that was not saved has no id. */
const marks = [
  [/^messageCount:/m, /^(threadId|startedAt):/m],
  [/^sessionId:/m, /^provider:/m],
]

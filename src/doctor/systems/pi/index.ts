import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import type { LinkedFormat } from '../../linked/linked-format.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { RecordFields } from '../../record-format.ts'
import type { ConversationStore, RecordedOwner, StoreUser, System } from '../../system.ts'
import { piFormat } from './linked-format.ts'

/** Sessions of pi and of programs that keep its format: oh-my-pi and senpi. */
export const pi: System = {
  id: 'pi',
  title: 'pi',
  places,
  recognises: peek => piHeader(peek) !== undefined,
  program: {
    processes: [
      {
        names: ['pi', 'omp', 'senpi', '@earendil-works/pi-coding-agent', '@mariozechner/pi-coding-agent', 'oh-my-pi'],
        worksIn: path => {
          // A store that is to be restored may be gone.
          const cwd = existsSync(path) ? piHeader(peekAt(path))?.cwd : undefined
          return folder => folder === cwd
        },
      },
    ],
    owners,
  },
  open: async path => piStore(path, piFormat),
}

/** oh-my-pi locks a session with `.<file>.lock`, which holds the process id and the time, while it writes it. */
function owners(path: string): RecordedOwner[] {
  const file = resolve(path)
  try {
    const lock = readRegularFile(join(dirname(file), `.${basename(file)}.lock`)).toString()
    const pid = Number(/^(\d{1,10}):\d{1,15}\s*$/.exec(lock)?.[1])
    return pid > 0 ? [{ pid, isThis: true, isCurrent: true }] : []
  } catch {
    return []
  }
}

function places({ home, folder, environment }: StoreUser): string[] {
  const { PI_CODING_AGENT_DIR: own, PI_CODING_AGENT_SESSION_DIR: sessions } = environment
  const roots = own ? [resolve(folder, own)] : ['.pi', '.omp', '.senpi'].map(name => join(home, name, 'agent'))
  return [...(sessions ? [resolve(folder, sessions)] : []), ...roots.map(root => join(root, 'sessions'))]
}

/** The header of a session. In oh-my-pi a line with the title may be before it. */
export function piHeader(peek: Peek): RecordFields | undefined {
  if (peek.kind !== 'file' || !peek.name.includes('.jsonl')) return undefined
  const lines = peek
    .headText()
    .replace(/^\uFEFF/, '')
    .split('\n', headerLinesMax)
  for (const line of lines) {
    const value = tryParseJson(line)
    if (!isRecord(value)) continue
    const { type, id, timestamp, cwd } = value
    if (type === 'title' && value.v === 1) continue
    const isHeader = type === 'session' && [id, timestamp, cwd].every(one => typeof one === 'string')
    return isHeader ? value : undefined
  }
  return undefined
}

const headerLinesMax = 5

export function piStore(path: string, format: LinkedFormat): ConversationStore {
  const id = piHeader(peekAt(path))?.id
  const conversation = {
    id: typeof id === 'string' ? id : basename(path, '.jsonl'),
    examine: async () => examineLinked(path, format),
  }
  return { conversations: () => [conversation], close: () => undefined }
}

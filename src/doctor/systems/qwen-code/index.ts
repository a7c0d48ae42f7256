import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import type { LinkedFormat } from '../../linked/linked-format.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import { type Peek, peekAt } from '../../peek.ts'
import type { RecordFields } from '../../record-format.ts'
import type { RecordedOwner, StoreUser, System } from '../../system.ts'
import { answerTo, filledPart, readQwenPath, withParts } from './record-contents.ts'

/** Sessions of Qwen Code: records that are linked by their uuids, with messages of the Gemini API. */
export const qwenCode: System = {
  id: 'qwen-code',
  title: 'Qwen Code',
  places,
  recognises: peek => firstRecord(peek) !== undefined,
  program: {
    processes: [
      {
        names: ['qwen', '@qwen-code/qwen-code'],
        worksIn: path => {
          // A store that is to be restored may be gone.
          const cwd = existsSync(path) ? firstRecord(peekAt(path))?.cwd : undefined
          return folder => folder === cwd
        },
      },
    ],
    owners,
  },
  async open(path) {
    const conversation = { id: basename(path, '.jsonl'), examine: async () => examineLinked(path, qwenFormat) }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

function places({ home, folder, environment }: StoreUser): string[] {
  const { QWEN_RUNTIME_DIR: runtime, QWEN_HOME: own } = environment
  const root = runtime || own
  return [join(root ? resolve(folder, root) : join(home, '.qwen'), 'projects')]
}

/** The first linked record. Claude Code links its records alike, but their messages have no parts. */
function firstRecord(peek: Peek): RecordFields | undefined {
  if (peek.kind !== 'file' || !peek.name.endsWith('.jsonl')) return undefined
  for (const line of peek.headText().split('\n', linesMax)) {
    const value = tryParseJson(line)
    if (isRecord(value) && isLinked(value) && (hasParts(value) || 'systemPayload' in value)) return value
  }
  return undefined
}

const linesMax = 50
const types = new Set<unknown>(['user', 'assistant', 'tool_result', 'system'])

const isLinked = ({ uuid, parentUuid, sessionId, type }: RecordFields): boolean =>
  typeof uuid === 'string' &&
  (parentUuid === null || typeof parentUuid === 'string') &&
  typeof sessionId === 'string' &&
  types.has(type)

const hasParts = ({ message }: RecordFields): boolean => isRecord(message) && Array.isArray(message.parts)

const qwenFormat: LinkedFormat = {
  dialect: 'qwen',
  keys: {
    id: 'uuid',
    parent: 'parentUuid',
    isLinked,
    // A rewind to the first turn that is left has the parent of that turn. The turn must not come back.
    mayBegin: ({ subtype }) => subtype === 'rewind',
    title: ({ subtype, systemPayload: payload }) =>
      subtype === 'custom_title' && isRecord(payload) ? payload.customTitle : undefined,
  },
  newId: uuidFrom,
  readPath: readQwenPath,
  fill: filledPart,
  write: (record, parts) => withParts(record, parts),
  answer: answerTo,
}

/**
 * The lease of the process that writes the session, in the runtime folder. A sealed one holds the length and the hash of
 * the file: the program refuses a session that changed since.
 */
function owners(path: string): RecordedOwner[] {
  const root = dirname(dirname(dirname(dirname(resolve(path)))))
  const id = basename(path, '.jsonl')
  const lease = recordIn(join(root, 'tmp', 'session-writer-locks', `${id}.lock`))
  const status = recordIn(join(dirname(path), `${id}.runtime.json`))
  return [...(lease?.state === 'sealed' ? [sealedBy(`${id}.lock`)] : ownerIn(lease)), ...ownerIn(status)]
}

const sealedBy = (lock: string): RecordedOwner => ({
  isThis: true,
  why: 'its lock is sealed: it holds the length and the hash of the file, and Qwen Code refuses a session that differs',
  advice: `if no Qwen Code is to take it over, delete ${lock} in tmp/session-writer-locks and try again, or use --force`,
})

function ownerIn(record: RecordFields | undefined): RecordedOwner[] {
  const pid = Number(record?.pid)
  if (!(pid > 0)) return []
  const isElsewhere = typeof record?.hostname === 'string' && record.hostname !== hostname()
  return [isElsewhere ? { isThis: true } : { pid, isThis: true, isCurrent: true }]
}

function recordIn(path: string): RecordFields | undefined {
  try {
    const value = tryParseJson(readRegularFile(path).toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

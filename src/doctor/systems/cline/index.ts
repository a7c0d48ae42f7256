import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codecs } from '../../../codecs/index.ts'
import { isRecord } from '../../../core/conversation.ts'
import type { Facts } from '../../../core/dialect.ts'
import { whyNotWritten } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { originsOf } from '../../files/print-like.ts'
import { headMessages } from '../../head-messages.ts'
import { type JsonDocument, readDocument, repairListIn } from '../../json-document.ts'
import { lostContent } from '../../lost-content.ts'
import type { Drawing, Examination, RecordedOwner, StoreUser, System } from '../../system.ts'
import { titled, titleInJson, titlesInList, valueInJson } from '../../titles/stored-title.ts'
import { firstUserText } from '../../titles/title-text.ts'
import { withJoinedResults } from './join-results.ts'
import { deletedIn, isBareReasoning, sentMessages, withoutStrayResults, withUnsent } from './sent-messages.ts'
import { closingCalls, withTextResults } from './text-results.ts'

/** Tasks of Cline, Roo Code and Kilo Code: the messages of each in a file of its folder. */
export const cline: System = {
  id: 'cline',
  title: 'Cline',
  places,
  recognises(peek) {
    if (peek.kind !== 'file' || !names.has(peek.name)) return false
    const found = headMessages(peek)
    return (
      found?.form === 'list' && found.messages.every(one => isRecord(one) && ('role' in one || isBareReasoning(one)))
    )
  },
  program: { processes: [], owners },
  async open(path) {
    const document = readDocument(path)
    const folder = dirname(resolve(path))
    const conversation = {
      id: basename(folder),
      ...titled(taskTitle(folder) ?? firstUserText(Array.isArray(document.value) ? document.value : [])),
      examine: async () => examineTask(document, deletedIn(valueInJson([folder, 'ui_messages.json']))),
    }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** Roo Code keeps the task next to its messages, Cline in one list for all tasks. */
const taskTitle = (folder: string): string | undefined =>
  titleInJson([folder, 'history_item.json'], 'task') ??
  titlesInList([dirname(dirname(folder)), join('state', 'taskHistory.json')], 'task').get(basename(folder))

/** The present name, and that of the first versions. */
const names = new Set(['api_conversation_history.json', 'claude_messages.json'])

function places({ home, environment, platform }: StoreUser): string[] {
  const config =
    platform === 'win32'
      ? environment.APPDATA || join(home, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : environment.XDG_CONFIG_HOME || join(home, '.config')
  const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map(name => join(config, name))
  const servers = ['.vscode-server', '.cursor-server', '.windsurf-server'].map(name => join(home, name, 'data'))
  const storages = [...editors, ...servers].flatMap(root =>
    extensions.map(extension => join(root, 'User', 'globalStorage', extension, 'tasks')),
  )
  return [...storages, join(home, '.cline', 'data', 'tasks')]
}

const extensions = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code']

/** Roo Code locks a file with a folder next to it while it writes. Such a folder names no process. */
function owners(path: string): RecordedOwner[] {
  return existsSync(`${path}.lock`)
    ? [
        {
          isThis: true,
          why: `the folder ${basename(path)}.lock says that it is being written`,
          advice: `if no editor is running, remove the folder ${basename(path)}.lock, which a crash left, and try again`,
        },
      ]
    : []
}

/**
 * A result that is written as text is the program's own form and no defect. If anything else is, it becomes a result
 * too: what is sent then is accepted.
 */
function examineTask(document: JsonDocument, deleted: number): Examination {
  const { value } = document
  if (!Array.isArray(value)) throw fileError(document.path, 'it is not a list of messages')
  const sent = sentMessages(value, deleted)
  const texts = withTextResults(sent.map(({ message }) => message))
  const stored = sent.map(({ index }, at) => ({ index, message: texts[at] }))
  const read = withoutStrayResults(stored, deleted)
  const places = read.map(({ index }) => index)
  const messages = read.map(({ message }) => message)
  const waiting = { pendingCalls: closingCalls(messages) }
  const { messages: repaired, ...examined } = examineList(
    messages,
    { format: 'anthropic', facts: deleted > 0 ? { ...facts, firstAssistant: 'accept' } : facts, places },
    waiting,
  )
  // Nothing stands for what was deleted, so it is shown.
  const found = deleted > 0 ? { ...examined, draw: drawWhole(value) } : examined
  if (found.repairs.length === 0) return { ...found, notes: [] }
  const whole = new Map(stored.map(({ index, message }) => [index, message]))
  const originals = new Map(read.map(({ index, message }) => [message, whole.get(index)]))
  const before = places.map(index => whole.get(index))
  const healed = withJoinedResults(
    repaired.map(message => originals.get(message) ?? message),
    before,
  )
  const { root } = codecs.anthropic.format
  const dropped = [...found.dropped, ...lostContent(before, healed, found, root, places)]
  const whyNot = whyNotWritten(messages, repaired, codecs.anthropic)
  if (whyNot !== undefined) return { ...found, dropped, notes: [whyNot] }
  const origins = originsOf(before, healed).map(at => (at === undefined ? undefined : places[at]))
  const after = withUnsent(value, new Set(places), healed, origins)
  const span = { start: 0, end: document.text.trimEnd().length }
  return { ...found, dropped, notes: [], storeRepair: repairListIn(document, span, value, after) }
}

const drawWhole = (messages: readonly unknown[]) => (): Drawing =>
  examineList(withTextResults(messages), { format: 'anthropic', facts }).draw()

/** A task goes to any provider, and the program itself leaves out reasoning that its provider rejects. */
const facts: Partial<Facts> = { unsignedThinking: 'accept', thinkingAfterCall: 'accept', trailingThinking: 'accept' }

import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { emptyDrawing } from '../../drawing.ts'
import { fileError } from '../../files/file-error.ts'
import type { Peek } from '../../peek.ts'
import type { ConversationStore, Examination, RejectionExamination, System } from '../../system.ts'
import { examineRollout } from './examine.ts'
import { examineRolloutRejection } from './examine-rejection.ts'
import { findRollout, inheritedBy } from './lineage.ts'
import { isPacked, openRollout, type RolloutFile, unpackedHead } from './rollout-file.ts'
import { beginningOf } from './title.ts'

/** Codex keeps every session in its own file: a rollout, with one record per line. */
export const codex: System = {
  id: 'codex',
  title: 'Codex',
  places({ home, environment }) {
    const root = environment.CODEX_HOME || join(home, '.codex')
    return [join(root, 'sessions'), join(root, 'archived_sessions')]
  },
  program: { processes: [{ names: ['codex'], holds: () => true }], keepsOpen },
  recognises: peek => peek.kind === 'file' && (rolloutName.test(peek.name) || beginsLikeRollout(peek)),
  async open(path) {
    if (statSync(path).size === 0) throw fileError(path, 'the file is empty')
    return storeOf(await openRollout(path))
  },
}

const rolloutName = /^rollout-\d{4}-\d\d-\d\dT[\d-]+-([0-9a-f-]{36})(_[0-9a-f-]{36})?\.jsonl(\.zst)?$/i

/** While it uses a rollout it also has the lock of the thread open. */
function keepsOpen(path: string): string[] {
  const [, thread, own] = rolloutName.exec(basename(path)) ?? []
  const home = /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(path)?.[1]
  if (thread === undefined || home === undefined) return []
  const threads = own === undefined ? [thread] : [thread, own.slice(1)]
  return threads.map(id => join(home, 'thread-writer-locks', `${id}.lock`))
}

function beginsLikeRollout(peek: Peek): boolean {
  if (!/\.jsonl(\.zst)?$/.test(peek.name)) return false
  const first = isPacked(peek.name) ? firstRecord(unpackedHead(peek.head())) : peek.firstLine()
  return (
    isRecord(first) && first.type === 'session_meta' && isRecord(first.payload) && typeof first.timestamp === 'string'
  )
}

const firstRecord = (text: string): unknown => tryParseJson(text.slice(0, text.indexOf('\n')))

function storeOf(file: RolloutFile): ConversationStore {
  const { path } = file
  const { header, title } = beginningOf(file.lines())
  const id = header?.id ?? rolloutName.exec(basename(path))?.[1] ?? basename(path)
  const examine = async (): Promise<Examination> => {
    if (isHidden(path)) return hidden
    const inherited = await inheritedBy(path, header)
    try {
      return examineRollout(file, inherited, header?.isPaginated === true)
    } finally {
      inherited.close()
    }
  }
  const examineFor = async (rejection: Rejection): Promise<RejectionExamination> => {
    if (isHidden(path)) return { repairs: [], remaining: [], notes: hidden.notes }
    const inherited = await inheritedBy(path, header)
    try {
      return examineRolloutRejection(file, inherited, header?.isPaginated === true, rejection)
    } finally {
      inherited.close()
    }
  }
  const conversation = {
    id,
    ...(title === undefined ? {} : { title }),
    examine,
    examineRejection: examineFor,
  }
  return {
    conversations: () => [conversation],
    parent: () => header?.base && findRollout(path, header.base.rollout),
    close: () => file.close(),
  }
}

/** Codex ignores a compressed rollout that has a plain one next to it. */
const isHidden = (path: string): boolean => isPacked(path) && existsSync(path.slice(0, -'.zst'.length))

const hidden: Examination = {
  state: 'healthy',
  counts: { calls: 0, results: 0, orphans: 0, unanswered: 0 },
  repairs: [],
  remaining: [],
  dropped: [],
  draw: () => emptyDrawing,
  notes: ['the same session is next to it uncompressed, and Codex reads that one, so this one was left alone'],
}

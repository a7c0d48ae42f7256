import { AntiphonError } from '../../../core/errors.ts'
import { failureReason } from '../../../doctor/files/file-error.ts'
import type { DocumentService, OpenedDocument } from '../document-service.ts'
import type { Document } from '../protocol.ts'
import { decodeDocument } from './decode-document.ts'
import { deepJsonText } from './deep-json.ts'
import { DocumentModel } from './document-model.ts'
import { messageContains } from './search.ts'
import { TapeInspector } from './tape-inspector.ts'
import { verdictOf } from './verdict.ts'

/** Holds one document. Long work yields to the event loop, so that other questions are answered meanwhile. */
export function createDocumentService(): DocumentService {
  let model: DocumentModel | undefined
  let tape: TapeInspector | undefined
  return {
    async open(given, choices) {
      model = undefined
      tape = undefined
      try {
        const document = typeof given === 'string' ? (JSON.parse(given) as Document) : given
        if (document.kind === 'tape') {
          tape = new TapeInspector(document)
          return nothing
        }
        const decoded = decodeDocument(document, choices)
        if ('unsupported' in decoded) return { ...nothing, unsupported: decoded.unsupported }
        model = new DocumentModel(decoded)
        return model.opened
      } catch (error) {
        return { ...nothing, unsupported: failureReason(error) }
      }
    },
    window: async (step, from, to) => model?.window(step, from, to) ?? { rows: [], arcs: [] },
    content: async (step, row) => model?.content(step, row) ?? { blocks: [] },
    follow: async (step, row, to) => model?.follow(step, row, to),
    async search(step, words) {
      const rows: number[] = []
      const wanted = words.trim().toLowerCase()
      if (!model || wanted === '') return rows
      const { decoded } = model
      for (const [row, message] of model.snapshot(step).messages.entries()) {
        if (row % searchedAtOnce === searchedAtOnce - 1) await yieldToOthers()
        if (messageContains(message, wanted, decoded)) rows.push(row)
      }
      return rows
    },
    async verdicts(onVerdict) {
      const asked = model
      for (const dialect of asked?.decoded.dialects ?? []) {
        await yieldToOthers()
        if (model !== asked || !asked) return
        const { check, codec } = asked.decoded
        if (check && codec) onVerdict(verdictOf(dialect, check(dialect), codec))
      }
    },
    async healed() {
      const value = model?.decoded.healed?.()
      return value === undefined ? undefined : fileText(value)
    },
    async inspection() {
      if (tape) return tape.inspection
      throw new AntiphonError('no-tape', 'the open document is not a tape')
    },
    request: async number => tape?.request(number),
  }
}

const nothing: OpenedDocument = {
  dialects: [],
  rows: 0,
  healedRows: 0,
  steps: [],
  diagnostics: [],
  counts: { messages: 0, calls: 0, results: 0, orphans: 0, unanswered: 0 },
}

const searchedAtOnce = 5000

/** Lets other messages be handled first. */
const yieldToOthers = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** A value as indented JSON. */
function fileText(value: unknown): string {
  try {
    return `${JSON.stringify(value, null, 2)}\n`
  } catch {
    // Too deep for JSON.stringify.
    return `${deepJsonText(value)}\n`
  }
}

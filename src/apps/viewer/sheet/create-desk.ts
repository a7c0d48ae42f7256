import { AntiphonError } from '../../../core/errors.ts'
import { failureReason } from '../../../doctor/files/file-error.ts'
import type { Desk, Opened } from '../desk.ts'
import type { Document } from '../protocol.ts'
import { jsonText } from './json-text.ts'
import { readDocument } from './read-document.ts'
import { holds } from './search.ts'
import { Sheet } from './sheet.ts'
import { Tape } from './tape.ts'
import { verdictOf } from './verdict.ts'

/** The one who reads. It holds one document, and gives way in long work so that what is asked meanwhile is answered. */
export function createDesk(): Desk {
  let sheet: Sheet | undefined
  let tape: Tape | undefined
  return {
    async open(given, choices) {
      sheet = undefined
      tape = undefined
      try {
        const document = typeof given === 'string' ? (JSON.parse(given) as Document) : given
        if (document.kind === 'tape') {
          tape = new Tape(document)
          return nothing
        }
        const reading = readDocument(document, choices)
        if ('foreign' in reading) return { ...nothing, foreign: reading.foreign }
        sheet = new Sheet(reading)
        return sheet.opened
      } catch (error) {
        return { ...nothing, foreign: failureReason(error) }
      }
    },
    window: async (step, from, to) => sheet?.window(step, from, to) ?? { rows: [], arcs: [] },
    content: async (step, row) => sheet?.content(step, row) ?? { blocks: [] },
    follow: async (step, row, to) => sheet?.follow(step, row, to),
    async search(step, words) {
      const rows: number[] = []
      const wanted = words.trim().toLowerCase()
      if (!sheet || wanted === '') return rows
      const { reading } = sheet
      for (const [row, message] of sheet.stage(step).messages.entries()) {
        if (row % searchedAtOnce === searchedAtOnce - 1) await giveWay()
        if (holds(message, wanted, reading)) rows.push(row)
      }
      return rows
    },
    async verdicts(tell) {
      const asked = sheet
      for (const reader of asked?.reading.readers ?? []) {
        await giveWay()
        if (sheet !== asked || !asked) return
        const { check, codec } = asked.reading
        if (check && codec) tell(verdictOf(reader, check(reader), codec))
      }
    },
    async healed() {
      const value = sheet?.reading.healed?.()
      return value === undefined ? undefined : fileText(value)
    },
    async inspection() {
      if (tape) return tape.inspection
      throw new AntiphonError('no-tape', 'the open document is no tape')
    },
    request: async number => tape?.request(number),
  }
}

const nothing: Opened = {
  readers: [],
  rows: 0,
  healedRows: 0,
  steps: [],
  marks: [],
  counts: { messages: 0, calls: 0, results: 0, orphans: 0, unanswered: 0 },
}

const searchedAtOnce = 5000

/** Lets whatever else was asked come first. */
const giveWay = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** A value as people keep it in a file. */
function fileText(value: unknown): string {
  try {
    return `${JSON.stringify(value, null, 2)}\n`
  } catch {
    // Too deep for the engine's own writer.
    return `${jsonText(value)}\n`
  }
}

import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { RecordFields } from '../../record-format.ts'
import { type FreeString, LineShapes, quoteAt } from '../../skim/line-shapes.ts'
import { type MarkedLine, takeMarkedLines } from '../../skim/marked-lines.ts'
import { rolloutHeaderOf } from './header.ts'
import { historyChangeOf } from './history-change.ts'
import type { RolloutItem } from './item.ts'
import { IdBytes, type ItemKind, PairedItems } from './paired-items.ts'
import { unwantedRecord } from './unwanted-record.ts'

/**
 * The number of calls and results of a rollout in which there is surely nothing to repair; undefined if it has to be
 * examined. One record of each kind is parsed; of the others only ids are read.
 */
export function skimRollout(path: string): { readonly calls: number; readonly results: number } | undefined {
  const skim = new RolloutSkim()
  const isHealthy = takeMarkedLines(path, line => skim.take(line)) && skim.isComplete
  return isHealthy ? { calls: skim.items.calls, results: skim.items.results } : undefined
}

/** What a record is, and which of its strings are ids. */
interface RecordMeaning {
  /** Absent if the record is not part of the history. */
  readonly item?: ItemKind
  readonly callId: number
  readonly itemId: number
}

class RolloutSkim {
  readonly items = pairedItems
  readonly #callId = new IdBytes()
  readonly #itemId = new IdBytes()
  #hasHeader = false

  constructor() {
    this.items.restart(false)
  }

  get isComplete(): boolean {
    return this.#hasHeader && this.items.isComplete
  }

  take(line: MarkedLine): boolean {
    const meaning = this.#hasHeader ? shapes.find(line) : undefined
    if (meaning) {
      const { item, callId, itemId } = meaning
      if (!item) return true
      if (isSet(this.#callId, line, callId) && isSet(this.#itemId, line, itemId))
        return this.items.take(item, callId < 0 ? undefined : this.#callId, itemId < 0 ? undefined : this.#itemId)
    }
    if (line.start === line.end) return true
    const bytes = line.text.subarray(line.start, line.end)
    if (this.#hasHeader && unwantedRecord(bytes, 'history')) return true
    const value = tryParseJson(bytes.toString())
    if (!isRecord(value)) return false
    if (!this.#hasHeader) return this.#takeHeader(value)
    if (!this.#takeRecord(value)) return false
    shapes.learn(line, meaningOf)
    return true
  }

  /** The header comes first; a rollout that continues another is not skimmed. */
  #takeHeader(value: RecordFields): boolean {
    const header = rolloutHeaderOf(value, 0)
    this.#hasHeader = true
    return header !== undefined && !header.isPaginated && !header.base && header.strangeMode === undefined
  }

  #takeRecord(value: RecordFields): boolean {
    const change = historyChangeOf(value, 0)
    if (!change || change.kind === 'turn') return true
    if (change.kind === 'rollback') return false
    if (change.kind === 'summary') {
      this.items.restart(true)
      return true
    }
    if (change.kind !== 'base') return this.#takeItem(change, isRecord(value.payload) ? value.payload.id : undefined)
    if (change.isPartial) return false
    this.items.restart(false)
    const { replacement_history: history } = value.payload as RecordFields
    return change.items.every(item =>
      this.#takeItem(item, Array.isArray(history) ? history[item.inner]?.id : undefined),
    )
  }

  #takeItem(item: RolloutItem, id: unknown): boolean {
    const kind = kindOf(item)
    const { callId } = item
    if (!kind || (callId !== undefined && !this.#callId.setText(callId))) return false
    if (typeof id === 'string' && !this.#itemId.setText(id)) return false
    return this.items.take(
      kind,
      callId === undefined ? undefined : this.#callId,
      typeof id === 'string' ? this.#itemId : undefined,
    )
  }
}

/** Strings of records that may be anything: what was said, called and answered, and ids. */
const freeKeys: ReadonlySet<string> = new Set([
  'timestamp',
  'id',
  'call_id',
  'name',
  'arguments',
  'input',
  'output',
  'text',
  'image_url',
  'encrypted_content',
])

/** Used again for the next rollout: new memory for each of many small ones costs more than reading them. */
const pairedItems = new PairedItems()

/** Shared by all rollouts: most records of one are like those of another. */
const shapes = new LineShapes<RecordMeaning>(key => freeKeys.has(key))

/** Undefined if the item is not followed here. */
function kindOf({ kind, family, isOfModel, isExtra, isBoundary, isWarning }: RolloutItem): ItemKind | undefined {
  if (isExtra) return undefined
  if (kind === 'call' || kind === 'result') return family && { kind, family }
  if (kind === 'reasoning') return { kind }
  if (isOfModel) return { kind: 'model' }
  if (kind !== 'words') return { kind: 'other' }
  return { kind: isBoundary && !isWarning ? 'user' : 'system' }
}

function meaningOf(text: string, free: readonly FreeString[]): RecordMeaning | undefined {
  const value = tryParseJson(text)
  if (!isRecord(value) || value.type !== 'response_item' || !isRecord(value.payload)) return undefined
  const change = historyChangeOf(value, 0)
  if (!change) return { callId: -1, itemId: -1 }
  if (!('piece' in change)) return undefined
  const item = kindOf(change)
  const { id } = value.payload
  const callId = change.callId === undefined ? -1 : indexOf(change.callId, free)
  const itemId = typeof id === 'string' ? indexOf(id, free) : -1
  return item && callId !== undefined && itemId !== undefined ? { item, callId, itemId } : undefined
}

const indexOf = (name: string, free: readonly FreeString[]): number | undefined =>
  free.find(one => one.name === name)?.index

/** Sets an id to a string of a line; false if it has escapes, so that the line has to be parsed. */
const isSet = (id: IdBytes, line: MarkedLine, index: number): boolean =>
  index < 0 || id.set(line.text, quoteAt(line, 2 * index) + 1, quoteAt(line, 2 * index + 1))

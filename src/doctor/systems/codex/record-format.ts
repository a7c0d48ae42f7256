import { createHash } from 'node:crypto'
import type { CallPart, Part } from '../../../core/conversation.ts'
import type { JudgeFormat } from '../../judge.ts'
import { type RecordContent, type RecordFields, storeFormat } from '../../record-format.ts'
import type { CallFamily } from './item.ts'
import type { RolloutItems } from './items.ts'
import type { RolloutHistory } from './replay.ts'

/**
 * How the history of a rollout is judged: a record is an item, by its index. Codex and its provider pair by ids, so a
 * result may come late within its turn. In a rollout where nothing may move, `nullIds` are the calls whose id is null:
 * there is room for a short one.
 */
export function rolloutFormat({ items, isPartial }: RolloutHistory, nullIds?: ReadonlySet<number>): JudgeFormat {
  return {
    format: storeFormat({
      root: '',
      reasoning: 'items',
      callsOnce: true,
      exactIds: true,
      locate: ({ origin }, part) => `#${part?.slot ?? origin}`,
    }),
    dialect: 'openai-responses',
    facts: rolloutFacts,
    isPartial,
    freshId: freshIds(items, nullIds),
    isFixed: ({ slot = 0 }) => items.piece(slot) < 0,
  }
}

export const rolloutFacts = {
  uniqueIds: 'history',
  lateResults: 'accept-in-turn',
  repeatedItem: 'refuse',
  loneReasoning: 'refuse-named',
} as const

/** The record that a diagnostic names. */
export const recordAt = (at: string): number => Number(at.slice(1))

/** The contents of an item: ids, and hashes of the rest. Without its payload only its ids are known. */
export function itemContents(items: RolloutItems, at: number, payload?: RecordFields): readonly RecordContent[] {
  const { kind, family = 'function', callId = '', isOfModel, isBoundary, isWarning, isPlaceholder } = items.look(at)
  const raw = hashOf(payload, at)
  const hasId = items.hash(at) !== 0 && items.piece(at) >= 0
  const common = { raw, ...(hasId ? { itemId: String(payload?.id ?? items.hash(at)) } : {}) }
  // Its kind is its name, so that a result prefers a call of its kind.
  const paired = { ...common, id: pairingId(family, callId), name: family, callKind: family, by: 'client' } as const
  if (kind === 'call') {
    const { id: _, ...called } = payload ?? {}
    return [assistantContent({ kind, ...paired, input: hashOf(payload && called, at) })]
  }
  if (kind === 'result') {
    const content = isPlaceholder ? 'aborted' : hashOf(payload && [payload.output, payload.tools], at)
    return [{ role: 'tool', parts: [{ kind, ...paired, content }] }]
  }
  if (kind === 'reasoning') return [assistantContent({ kind, ...common, text: raw, signed: true })]
  if (isOfModel)
    return [assistantContent(kind === 'words' ? { kind: 'text', text: raw, ...common } : { kind: 'other', ...common })]
  if (kind !== 'words') return []
  return [{ role: isBoundary && !isWarning ? 'user' : 'system', parts: [{ kind: 'text', text: `${at}`, ...common }] }]
}

/** Calls that follow each other were made together; what the model says after them comes after their results. */
const assistantContent = (part: Part): RecordContent => ({
  role: 'assistant',
  parts: [part],
  step: part.kind === 'call' ? 'calls' : 'words',
})

const hashOf = (value: unknown, at: number): string =>
  value === undefined ? `${at}` : createHash('sha256').update(JSON.stringify(value)).digest('base64')

/** A search is answered by nothing else, whatever its id. */
const pairingId = (family: CallFamily, id: string): string =>
  family === 'search' && id !== '' ? searchPrefix + id : id

/** The id of a call as it is stored. */
export const storedId = (id: string): string => (id.startsWith(searchPrefix) ? id.slice(searchPrefix.length) : id)

const searchPrefix = 'search\u0000'

/**
 * New ids. A call without an id gets the one of its item, under which Codex ran it, or one made from its place; another
 * call gets an id with another ending, of the same length if possible. If nothing may move, every id has to fit.
 */
function freshIds(
  items: RolloutItems,
  nullIds: ReadonlySet<number> | undefined,
): (call: CallPart) => string | undefined {
  const known = new Map<number, string | undefined>()
  const made = new Set<string>()
  const numbers = new Map<string, number>()
  let ofCalls: Set<string> | undefined
  let number = 0
  const isTaken = (id: string): boolean => made.has(id) || items.hasId(id)
  const shortId = (): string | undefined => {
    let id = ''
    do id = `${letters[Math.floor(number / letters.length)] ?? ''}${letters[number++ % letters.length]}`
    while (isTaken(id))
    return id.length === 2 ? id : undefined
  }
  const nameFor = (record: number): string | undefined => {
    const { piece, inner, itemId = '' } = items.item(record)
    if (nullIds) return nullIds.has(record) ? shortId() : undefined
    ofCalls ??= items.idsOfCalls()
    const place = `call_line_${piece + 1}${inner < 0 ? '' : `_${inner}`}`
    let id = itemId !== '' && itemId.length <= idMax ? itemId : place
    for (let again = 2; made.has(id) || ofCalls.has(id); again++) id = `${place}_${again}`
    return id
  }
  const another = (id: string): string | undefined => {
    let again = numbers.get(id) ?? 2
    while (isTaken(withEnding(id, again))) again++
    numbers.set(id, again + 1)
    const fresh = withEnding(id, again)
    return nullIds && fresh.length !== id.length ? undefined : fresh
  }
  return ({ slot = 0, id, callKind }) => {
    if (!known.has(slot)) {
      const fresh = id === '' ? nameFor(slot) : another(storedId(id))
      if (fresh !== undefined) made.add(fresh)
      known.set(slot, fresh)
    }
    const fresh = known.get(slot)
    return fresh && pairingId(callKind as CallFamily, fresh)
  }
}

/** The longest call id that the provider accepts. */
const idMax = 64

const letters = 'abcdefghijklmnopqrstuvwxyz'

function withEnding(id: string, number: number): string {
  const end = number.toString(36)
  return /^[\w-]+$/.test(id) && end.length < id.length ? id.slice(0, -end.length) + end : `${id}_${end}`
}

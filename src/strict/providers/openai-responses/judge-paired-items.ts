import { type JsonObject, stringOf } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { placeOf } from './judge-input.ts'
import { type ItemPair, pairOf, pairs } from './pair.ts'

/** A call, or the output that answers one. */
export type PairedItem = {
  pair: ItemPair
  side: 'call' | 'output'
  id: string | undefined
  at: string
  mayWait?: boolean
}

/** `start` is where the input begins: the items before it are stored. */
export function pairedItems(items: JsonObject[], start = 0): PairedItem[] {
  const shells = idsOfType(items, 'local_shell_call')
  const functions = idsOfType(items, 'function_call')
  return items.flatMap((item, index) => {
    const id = stringOf(item.call_id)
    const isOfShell = item.type === 'function_call_output' && shells.has(id) && !functions.has(id)
    const pair = isOfShell ? localShell : pairOf(item)
    if (!pair) return []
    const mayWait = item.async === true && asynchronous.has(item.type)
    return [{ pair, side: item.type === pair.call ? 'call' : 'output', id, at: placeOf(index, start), mayWait }]
  })
}

/** Calls that can declare that their output follows in a later request (or-async). */
const asynchronous = new Set<unknown>(['function_call', 'custom_tool_call'])

/** OpenAI's own client answers its local shell calls with function outputs, so both types are accepted. */
const localShell = pairs.find(({ call }) => call === 'local_shell_call') as ItemPair

const idsOfType = (items: JsonObject[], type: string): Set<string | undefined> =>
  new Set(items.filter(item => item.type === type).map(item => stringOf(item.call_id)))

/** The translation of another format: every call becomes a function call. */
export const pairedItemsOfChat = (chat: HistoryEntry[]): PairedItem[] =>
  chat.flatMap(({ role, calls, answers, at }) => {
    const pair = pairs[0]
    const ofCalls = calls.map((call): PairedItem => ({ pair, side: 'call', id: call.id, at: call.at }))
    return role === 'tool' ? [{ pair, side: 'output', id: answers, at }] : ofCalls
  })

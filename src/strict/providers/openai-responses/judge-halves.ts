import { type JsonObject, stringOf } from '../../json.ts'
import type { Entry } from '../../judge/entry.ts'
import { placeOf } from './judge-input.ts'
import { type Pair, pairOf, pairs } from './pair.ts'

/** A call, or the output that answers one. */
export type Half = { pair: Pair; side: 'call' | 'output'; id: string | undefined; at: string; mayWait?: boolean }

/** `start` is where the input begins: what stands in front of it is stored. */
export function halvesOfItems(items: JsonObject[], start = 0): Half[] {
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

/** Calls that can say that their output comes in a later request (or-async). */
const asynchronous = new Set<unknown>(['function_call', 'custom_tool_call'])

/** OpenAI's own client answers its local shell calls with function outputs, so either type answers one. */
const localShell = pairs.find(({ call }) => call === 'local_shell_call') as Pair

const idsOfType = (items: JsonObject[], type: string): Set<string | undefined> =>
  new Set(items.filter(item => item.type === type).map(item => stringOf(item.call_id)))

/** What a gateway makes of another wire: every call a function call. */
export const halvesOfChat = (chat: Entry[]): Half[] =>
  chat.flatMap(({ role, calls, answers, at }) => {
    const pair = pairs[0]
    const ofCalls = calls.map((call): Half => ({ pair, side: 'call', id: call.id, at: call.at }))
    return role === 'tool' ? [{ pair, side: 'output', id: answers, at }] : ofCalls
  })

import { isRecord } from '../../../core/conversation.ts'

interface Place {
  readonly at: string
  readonly value: unknown
}

/** The calls, results and items of a history whose id is a word of an error: the first few. */
export function placesOfIds(error: string, history: readonly unknown[], root: string): Place[] {
  const words = new Set(error.match(/[\w-][\w.:|/=+-]*[\w=-]/g))
  const places: Place[] = []
  const visit = (value: unknown, at: string, depth: number): void => {
    if (places.length === placesMax || depth > depthMax) return
    if (Array.isArray(value)) for (const [index, one] of value.entries()) visit(one, `${at}[${index}]`, depth + 1)
    else if (isRecord(value)) {
      if (idKeys.some(key => isNamed(value[key], words))) places.push({ at, value })
      for (const [key, one] of Object.entries(value))
        if (typeof one === 'object' && !dataKeys.has(key)) visit(one, `${at}.${key}`, depth + 1)
    }
  }
  visit(history, root, 0)
  return places
}

const isNamed = (id: unknown, words: ReadonlySet<string>): boolean =>
  typeof id === 'string' && id.length >= idMin && words.has(id)

const [placesMax, depthMax] = [10, 20]

/** A shorter id may be any word. */
const idMin = 4

const idKeys = ['id', 'tool_call_id', 'tool_use_id', 'call_id', 'toolUseId', 'toolCallId', 'approval_request_id']

/** What a call was given and what it returned: an id in there is data. */
const dataKeys = new Set(['input', 'arguments', 'args', 'output', 'response', 'result', 'json'])

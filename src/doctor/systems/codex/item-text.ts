import { elementSpans, memberSpan, type TextSpan } from '../../../core/json/json-spans.ts'
import type { CallFamily } from './item.ts'

/** Changes to the text of a record that leave every other character unchanged. */
export type TextEdit = (text: string) => string

export const editPayload =
  (edit: TextEdit): TextEdit =>
  text => {
    const span = memberSpan(text, 'payload') as TextSpan
    return put(text, span, edit(cut(text, span)))
  }

/** The payload of a record. */
export const payloadOf = (text: string): string => cut(text, memberSpan(text, 'payload') as TextSpan)

/** The items in the history of a compaction, from its payload. */
export const elementsOf = (payload: string): string[] =>
  elementSpans(payload, (memberSpan(payload, historyKey) as TextSpan).start).map(span => cut(payload, span))

const historyKey = 'replacement_history'

/** Gives a member of an object another value; a new member comes first. */
export const setMember =
  (key: string, value: unknown): TextEdit =>
  object => {
    const span = memberSpan(object, key)
    if (span) return put(object, span, JSON.stringify(value))
    const start = object.indexOf('{') + 1
    return `${object.slice(0, start)}${JSON.stringify(key)}:${JSON.stringify(value)},${object.slice(start)}`
  }

/** Removes a member from an object, or overwrites it with spaces, so that nothing moves. */
export const removeMember =
  (key: string, keepsLength: boolean): TextEdit =>
  object => {
    const value = memberSpan(object, key)
    if (!value) return object
    let start = object.lastIndexOf(JSON.stringify(key), value.start)
    let end = value.end
    const comma = /^\s*,/.exec(object.slice(end, end + 64))
    if (comma) end += comma[0].length
    else start = object.lastIndexOf(',', start)
    if (start < 0) return object
    return put(object, { start, end }, keepsLength ? ' '.repeat(Buffer.byteLength(object.slice(start, end))) : '')
  }

/** Gives an item an unknown type of the same length, so that Codex ignores it. */
export const retire: TextEdit = object => {
  const span = memberSpan(object, 'type') as TextSpan
  return put(object, span, `"x-${object.slice(span.start + 3)}`.slice(0, span.end - span.start))
}

/** Numbers a record, after its time, where Codex writes the number. */
export const setOrdinal =
  (ordinal: number): TextEdit =>
  text => {
    const known = memberSpan(text, 'ordinal')
    if (known) return put(text, known, String(ordinal))
    const time = memberSpan(text, 'timestamp')
    if (!time) return setMember('ordinal', ordinal)(text)
    return `${text.slice(0, time.end)},"ordinal":${ordinal}${text.slice(time.end)}`
  }

/**
 * Changes to a list: edits of its elements, which are removed, and what is inserted after which. A number is an element
 * that moves.
 */
export interface ListEdit {
  readonly edits: Map<number, TextEdit[]>
  readonly drops: Set<number>
  readonly after: Map<number, (string | number)[]>
}

/** Changes the history of a compaction, and the list of metadata of its items, if there is one. */
export const editHistory = ({ edits, drops, after }: ListEdit): TextEdit =>
  editPayload(payload => {
    const about = { edits: new Map(), drops, after: new Map([...after].map(([at, items]) => [at, items.map(unknown)])) }
    return editList('replacement_history_metadata', about)(editList(historyKey, { edits, drops, after })(payload))
  })

/** The metadata of a placeholder item. */
const unknown = (item: string | number): string | number =>
  typeof item === 'number' ? item : '{"client_authored":false}'

const editList =
  (key: string, { edits, drops, after }: ListEdit): TextEdit =>
  object => {
    const list = memberSpan(object, key)
    if (!list || object[list.start] !== '[') return object
    const spans = elementSpans(object, list.start)
    const [first, second] = spans
    const last = spans.at(-1)
    if (!first || !last) return object
    const elements = spans.map((span, at) =>
      (edits.get(at) ?? []).reduce((element, edit) => edit(element), cut(object, span)),
    )
    const now = elements.flatMap((element, at) => [
      ...(drops.has(at) ? [] : [element]),
      ...(after.get(at) ?? []).map(one => (typeof one === 'number' ? elements[one] : one)),
    ])
    const comma = second ? object.slice(first.end, second.start) : ','
    return put(object, { start: first.start, end: last.end }, now.join(comma))
  }

const cut = (text: string, { start, end }: TextSpan): string => text.slice(start, end)

const put = (text: string, { start, end }: TextSpan, by: string): string => text.slice(0, start) + by + text.slice(end)

/** The types of the items that answer calls. */
export const resultTypes: Readonly<Record<CallFamily, string>> = {
  function: 'function_call_output',
  custom: 'custom_tool_call_output',
  search: 'tool_search_output',
}

/** Codex's own text for a result that never came. */
export const abortedText = 'aborted'

/** An item for a call without a result, as Codex adds it to a request. */
export const madeItem = (family: CallFamily, id: string): string =>
  JSON.stringify(
    family === 'search'
      ? { type: resultTypes.search, call_id: id, status: 'completed', execution: 'client', tools: [] }
      : { type: resultTypes[family], call_id: id, output: abortedText },
  )

/** A record for an item. */
export const recordFor = (timestamp: string, item: string): string =>
  `{"timestamp":${JSON.stringify(timestamp)},"type":"response_item","payload":${item}}`

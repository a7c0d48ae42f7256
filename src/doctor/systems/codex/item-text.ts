import { elementSpans, memberSpan, type Span } from '../../files/json-spans.ts'
import type { Family } from './item.ts'

/** Changes to the text of a record, which leave every other character alone. */
export type TextEdit = (text: string) => string

export const editPayload =
  (edit: TextEdit): TextEdit =>
  text => {
    const span = memberSpan(text, 'payload') as Span
    return put(text, span, edit(cut(text, span)))
  }

/** The payload of a record. */
export const payloadOf = (text: string): string => cut(text, memberSpan(text, 'payload') as Span)

/** The items in the history of a compaction, from its payload. */
export const elementsOf = (payload: string): string[] =>
  elementSpans(payload, (memberSpan(payload, historyKey) as Span).start).map(span => cut(payload, span))

const historyKey = 'replacement_history'

/** Gives a member of an object another value; one that is not there comes first. */
export const setMember =
  (key: string, value: unknown): TextEdit =>
  object => {
    const span = memberSpan(object, key)
    if (span) return put(object, span, JSON.stringify(value))
    const start = object.indexOf('{') + 1
    return `${object.slice(0, start)}${JSON.stringify(key)}:${JSON.stringify(value)},${object.slice(start)}`
  }

/** Takes a member out of an object, or writes spaces over it, so that nothing moves. */
export const removeMember =
  (key: string, keepsLength: boolean): TextEdit =>
  object => {
    const value = memberSpan(object, key)
    if (!value) return object
    let start = object.lastIndexOf(JSON.stringify(key), value.start)
    let end = value.end
    const behind = /^\s*,/.exec(object.slice(end, end + 64))
    if (behind) end += behind[0].length
    else start = object.lastIndexOf(',', start)
    if (start < 0) return object
    return put(object, { start, end }, keepsLength ? ' '.repeat(Buffer.byteLength(object.slice(start, end))) : '')
  }

/** Makes an item one of a type that nobody knows, so that Codex passes over it. Its length stays the same. */
export const retire: TextEdit = object => {
  const span = memberSpan(object, 'type') as Span
  return put(object, span, `"x-${object.slice(span.start + 3)}`.slice(0, span.end - span.start))
}

/** Numbers a record, behind its time where Codex writes the number. */
export const setOrdinal =
  (ordinal: number): TextEdit =>
  text => {
    const known = memberSpan(text, 'ordinal')
    if (known) return put(text, known, String(ordinal))
    const time = memberSpan(text, 'timestamp')
    if (!time) return setMember('ordinal', ordinal)(text)
    return `${text.slice(0, time.end)},"ordinal":${ordinal}${text.slice(time.end)}`
  }

/** Changes to a list: to its elements, which of them go, and what comes behind which. A number is an element that moves. */
export interface ListEdit {
  readonly edits: Map<number, TextEdit[]>
  readonly drops: Set<number>
  readonly after: Map<number, (string | number)[]>
}

/** Changes the history of a compaction, and the list of what is known of each of its items, if there is one. */
export const editHistory = ({ edits, drops, after }: ListEdit): TextEdit =>
  editPayload(payload => {
    const about = { edits: new Map(), drops, after: new Map([...after].map(([at, items]) => [at, items.map(unknown)])) }
    return editList('replacement_history_metadata', about)(editList(historyKey, { edits, drops, after })(payload))
  })

/** What is known of an item that was made up. */
const unknown = (item: string | number): string | number =>
  typeof item === 'number' ? item : '{"client_authored":false}'

const editList =
  (key: string, { edits, drops, after }: ListEdit): TextEdit =>
  object => {
    const list = memberSpan(object, key)
    if (!list || object[list.start] !== '[') return object
    const spans = elementSpans(object, list.start)
    if (spans.length === 0) return object
    const elements = spans.map((span, at) =>
      (edits.get(at) ?? []).reduce((element, edit) => edit(element), cut(object, span)),
    )
    const now = elements.flatMap((element, at) => [
      ...(drops.has(at) ? [] : [element]),
      ...(after.get(at) ?? []).map(one => (typeof one === 'number' ? elements[one] : one)),
    ])
    const comma = spans.length > 1 ? object.slice(spans[0].end, spans[1].start) : ','
    return put(object, { start: spans[0].start, end: spans[spans.length - 1].end }, now.join(comma))
  }

const cut = (text: string, { start, end }: Span): string => text.slice(start, end)

const put = (text: string, { start, end }: Span, by: string): string => text.slice(0, start) + by + text.slice(end)

/** The types of the items that answer calls. */
export const resultTypes: Readonly<Record<Family, string>> = {
  function: 'function_call_output',
  custom: 'custom_tool_call_output',
  search: 'tool_search_output',
}

/** What Codex itself puts in the place of a result that never came. */
export const abortedText = 'aborted'

/** An item for a call without a result, as Codex makes it up for a request. */
export const madeItem = (family: Family, id: string): string =>
  JSON.stringify(
    family === 'search'
      ? { type: resultTypes.search, call_id: id, status: 'completed', execution: 'client', tools: [] }
      : { type: resultTypes[family], call_id: id, output: abortedText },
  )

/** A record for an item. */
export const recordFor = (timestamp: string, item: string): string =>
  `{"timestamp":${JSON.stringify(timestamp)},"type":"response_item","payload":${item}}`

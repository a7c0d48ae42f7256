import type { Fields } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { elementSpans, type MemberSpan, memberSpans } from '../../core/json/json-spans.ts'
import { jsonLayoutOf, printJson } from './layout.ts'

/** A value, and its JSON text. */
export interface ValueText {
  readonly text: string
  readonly value: unknown
}

/**
 * JSON text of a value that was made from another: equal parts are copied from the old text, with its escapes, numbers
 * and spaces; new parts are formatted like it. `base` is the indentation of the whole.
 */
export function printLike(before: ValueText, after: unknown, base = ''): string {
  if (equal(before.value, after)) return before.text
  if (isObject(before.value) && isObject(after)) return printObject(before, after, base)
  if (Array.isArray(before.value) && Array.isArray(after)) return printList(before, after, base)
  return printJson(after, { ...jsonLayoutOf([before.text], base), base })
}

/** A number that is kept as it was written is not an object to descend into. */
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) !== null

function printObject({ text, value }: ValueText, after: Fields, base: string): string {
  const members = memberSpans(text, 0)
  const [first] = members
  if (!first || Object.keys(after).length === 0) return printJson(after, jsonLayoutOf([text], base))
  const known = new Map(members.map(member => [JSON.parse(member.key) as string, member]))
  const frame = frameOf(
    text,
    members.map(({ keyStart: start, end }) => ({ start, end })),
  )
  const inside = frame.base ?? base
  const colon = text.slice(first.keyStart + first.key.length, first.start)
  const kept = Object.entries(after).filter(([, now]) => now !== undefined)
  const texts = kept.map(([key, now]) => {
    const member = known.get(key)
    if (!member)
      return `${JSON.stringify(key)}${colon}${printJson(now, { ...jsonLayoutOf([text], base), base: inside })}`
    const old = { text: text.slice(member.start, member.end), value: (value as Fields)[key] }
    return text.slice(member.keyStart, member.start) + printLike(old, now, inside)
  })
  const places = new Map(members.map((member, index) => [member, index]))
  const origins = kept.map(([key]) => places.get(known.get(key) as MemberSpan))
  return joined(frame, texts, origins)
}

function printList({ text, value }: ValueText, after: readonly unknown[], base: string): string {
  const spans = elementSpans(text, 0)
  if (spans.length === 0 || after.length === 0) return printJson(after, jsonLayoutOf([text], base))
  const old = spans.map(({ start, end }, index) => ({
    text: text.slice(start, end),
    value: (value as readonly unknown[])[index],
  }))
  const frame = frameOf(text, spans)
  const inside = frame.base ?? base
  const layout = { ...jsonLayoutOf([...old.map(element => element.text), text], inside), base: inside }
  const origins = originsOf(
    old.map(element => element.value),
    after,
  )
  const texts = after.map((now, index) => {
    const origin = old[origins[index] ?? -1]
    return origin ? printLike(origin, now, inside) : printJson(now, layout)
  })
  return joined(frame, texts, origins)
}

/**
 * The old element that each new one comes from: the same object, an equal one, one with the same id, or one of the same
 * kind that is missing from its place. Each old element is used once.
 */
export function originsOf(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const taken = new Set<number>()
  const take = (found: number | undefined): number | undefined => {
    if (found === undefined || taken.has(found)) return undefined
    taken.add(found)
    return found
  }
  const places = new Map(before.map((value, index) => [value, index]))
  const origins = after.map(value => (isObject(value) ? take(places.get(value)) : undefined))
  const fill = (find: (value: unknown, from: number) => number | undefined): void => {
    let from = 0
    for (const [index, value] of after.entries()) {
      origins[index] ??= take(find(value, from))
      from = (origins[index] ?? from - 1) + 1
    }
  }
  for (const keyOf of [contentOf, idOf]) {
    if (!origins.includes(undefined)) return origins
    const free = new Map<string, number[]>()
    for (const [index, value] of before.entries()) {
      const key = taken.has(index) ? undefined : keyOf(value)
      if (key === undefined) continue
      const same = free.get(key)
      if (same) same.push(index)
      else free.set(key, [index])
    }
    fill((value, from) => {
      const found = free.get(keyOf(value) ?? '')?.filter(place => !taken.has(place))
      return found?.find(place => place >= from) ?? found?.[0]
    })
  }
  fill((value, from) => (isOfOneKind(before[from], value) ? from : undefined))
  return origins
}

const isOfOneKind = (one: unknown, other: unknown): boolean =>
  isObject(one) && isObject(other) && one.role === other.role && one.type === other.type

const contentOf = (value: unknown): string | undefined => JSON.stringify(value)

function idOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const id = value.toolCallId ?? value.tool_call_id ?? value.call_id ?? value.tool_use_id ?? value.id
  return typeof id === 'string' ? id : undefined
}

interface Frame {
  readonly open: string
  /** The text after each item but the last. */
  readonly gaps: readonly string[]
  readonly close: string
  /** The indentation of the items, if they are on lines of their own. */
  readonly base: string | undefined
}

/** The text around and between the items of a list or an object. */
function frameOf(text: string, spans: readonly { readonly start: number; readonly end: number }[]): Frame {
  const open = text.slice(0, spans.at(0)?.start)
  const gaps = spans.slice(1).map(({ start }, index) => text.slice(spans[index]?.end, start))
  if (gaps.length === 0) gaps.push(`,${open.slice(1) || (/":\s/.test(text) ? ' ' : '')}`)
  return { open, gaps, close: text.slice(spans.at(-1)?.end), base: /\n([ \t]*)$/.exec(open)?.[1] }
}

/** Joins items with the text that was between them; new gaps are like the first one. */
function joined(
  { open, gaps, close }: Frame,
  texts: readonly string[],
  origins: readonly (number | undefined)[],
): string {
  const pieces = [open, texts[0]]
  for (let index = 1; index < texts.length; index++) {
    const [before, here] = [origins[index - 1], origins[index]]
    const isAsBefore = before !== undefined && here === before + 1
    pieces.push((isAsBefore ? gaps[before] : undefined) ?? gaps[0], texts[index])
  }
  pieces.push(close)
  return pieces.join('')
}

import { Random } from '../../../laws/random.ts'
import type { Files } from './generate.ts'

type Json = Record<string, unknown>

/** One to four defects in one session, as lost writes, crashes, races and resumes leave them. */
export function corrupt(seed: number, store: Files): Files {
  const random = new Random(seed)
  const files = new Map(store)
  const names = [...files.keys()].filter(name => name.endsWith('.jsonl'))
  const name = random.pick(names)
  let lines = (files.get(name) as Buffer).toString().split('\n')
  if (lines.at(-1) === '') lines.pop()
  let tail = '\n'
  for (let count = random.range(1, 4); count > 0; count--) {
    if (random.chance(0.1)) tail = ''
    lines = random.pick(faults)(lines, random) ?? lines
  }
  if (tail === '' && lines.length > 1) {
    const last = lines.at(-1) as string
    lines[lines.length - 1] = Buffer.from(last).subarray(0, random.range(1, last.length)).toString()
  }
  files.set(name, Buffer.from(lines.join('\n') + tail))
  return files
}

type Fault = (lines: string[], random: Random) => string[] | undefined

const faults: readonly Fault[] = [
  function lostCall(lines, random) {
    return without(lines, pickAt(lines, random, isCall))
  },
  function lostResult(lines, random) {
    return without(lines, pickAt(lines, random, isResult))
  },
  function lostResultBridged(lines, random) {
    return bridged(lines, pickAt(lines, random, isResult))
  },
  function lostCallBridged(lines, random) {
    return bridged(lines, pickAt(lines, random, isCall))
  },
  function lostLine(lines, random) {
    return without(lines, pickAt(lines, random, isLinked))
  },
  function cutShort(lines, random) {
    const at = pickAt(lines, random, record => isCall(record) || isResult(record))
    return at === undefined ? undefined : lines.slice(0, at + 1)
  },
  function spokeTooSoon(lines, random) {
    const at = pickAt(lines, random, isResult)
    if (at === undefined) return undefined
    const record = parse(lines[at]) as Json
    const words = { ...record, uuid: fresh(random), message: { role: 'user', content: random.sentence() } }
    const late = JSON.stringify({ ...record, parentUuid: words.uuid })
    return lines.toSpliced(at, 1, JSON.stringify({ ...words, toolUseResult: undefined }), late)
  },
  function secondResult(lines, random) {
    const at = pickAt(lines, random, isResult)
    if (at === undefined) return undefined
    const record = parse(lines[at]) as Json
    const copy = { ...record, uuid: fresh(random), parentUuid: record.uuid }
    return appended(lines, at, JSON.stringify(copy), String(record.uuid), copy.uuid)
  },
  function lostBlock(lines, random) {
    const at = pickAt(lines, random, record => isCall(record) || isResult(record))
    if (at === undefined) return undefined
    const record = parse(lines[at]) as { message: { content: unknown[] } }
    const { content } = record.message
    const message = { ...record.message, content: content.toSpliced(random.int(content.length), 1) }
    return content.length < 2 ? undefined : lines.with(at, JSON.stringify({ ...record, message }))
  },
  function doubledLine(lines, random) {
    const at = pickAt(lines, random, isLinked)
    return at === undefined ? undefined : lines.toSpliced(at + 1, 0, lines[at])
  },
  function strangeResult(lines, random) {
    const at = pickAt(lines, random, isLinked)
    if (at === undefined) return undefined
    const { uuid: parentUuid, ...rest } = parse(lines[at]) as Json
    const block = { type: 'tool_result', tool_use_id: random.id('toolu_01'), content: random.sentence() }
    const message = { role: 'user', content: [block] }
    const uuid = fresh(random)
    const record = { ...rest, type: 'user', subtype: undefined, uuid, parentUuid, message }
    return appended(lines, at, JSON.stringify(record), String(parentUuid), uuid)
  },
  function strayParent(lines, random) {
    const at = pickAt(lines, random, isLinked)
    if (at === undefined) return undefined
    return lines.with(at, JSON.stringify({ ...(parse(lines[at]) as Json), parentUuid: fresh(random) }))
  },
  function circle(lines, random) {
    const at = pickAt(lines, random, isLinked)
    const to = pickAt(lines.slice(at), random, isLinked)
    if (at === undefined || to === undefined) return undefined
    const parentUuid = (parse(lines[at + to]) as Json).uuid
    return lines.with(at, JSON.stringify({ ...(parse(lines[at]) as Json), parentUuid }))
  },
  function swapped(lines, random) {
    const at = random.int(lines.length - 1)
    return lines.toSpliced(at, 2, lines[at + 1], lines[at])
  },
  function noise(lines, random) {
    const words = random.pick(['', '\0\0\0\0', '{"type":"user","mess', 'null', '[]', '{"type":"strange"}'])
    return lines.toSpliced(random.int(lines.length), 0, words)
  },
  function lostNewline(lines, random) {
    const at = random.int(lines.length - 1)
    return lines.length < 2 ? undefined : lines.toSpliced(at, 2, lines[at] + lines[at + 1])
  },
  function tornAndWrittenOn(lines, random) {
    const at = random.int(lines.length - 1)
    if (lines.length < 2) return undefined
    return lines.toSpliced(at, 2, lines[at].slice(0, random.int(lines[at].length)) + lines[at + 1])
  },
]

const without = (lines: string[], at: number | undefined): string[] | undefined =>
  at === undefined ? undefined : lines.toSpliced(at, 1)

/** Removes a line, and links what followed it to its parent. */
function bridged(lines: string[], at: number | undefined): string[] | undefined {
  if (at === undefined) return undefined
  const { uuid, parentUuid } = parse(lines[at]) as Json
  return relinked(lines.toSpliced(at, 1), uuid, parentUuid)
}

/** Inserts a line after another, and links what followed that to it. */
const appended = (lines: string[], at: number, line: string, from: string, to: string): string[] =>
  relinked(lines, from, to).toSpliced(at + 1, 0, line)

function relinked(lines: string[], from: unknown, to: unknown): string[] {
  return lines.map(line => {
    const record = parse(line)
    return record?.parentUuid === from ? JSON.stringify({ ...record, parentUuid: to }) : line
  })
}

function pickAt(lines: string[], random: Random, fits: (record: Json) => boolean): number | undefined {
  const found = lines.flatMap((line, index) => {
    const record = parse(line)
    return record && typeof record.uuid === 'string' && fits(record) ? [index] : []
  })
  return found.length > 0 ? random.pick(found) : undefined
}

function parse(line: string): Json | undefined {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isLinked = ({ type }: Json): boolean => ['user', 'assistant', 'attachment'].includes(String(type))
const isCall = (record: Json): boolean => holds(record, 'tool_use')
const isResult = (record: Json): boolean => holds(record, 'tool_result')

function holds({ message }: Json, type: string): boolean {
  const content = (message as Json | undefined)?.content
  return Array.isArray(content) && content.some(block => block?.type === type)
}

function fresh(random: Random): string {
  const hex = (length: number): string => Array.from({ length }, () => random.int(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-b${hex(3)}-${hex(12)}`
}

import type { Random } from '../../../laws/random.ts'
import type { Files } from './view.ts'

/** The events of a conversation in the order of their numbers, each as its text, and the base state. */
export interface Log {
  base: string
  events: string[]
}

const idOf = (event: string): string => (JSON.parse(event) as { id: string }).id

export const fileOf = (place: number, event: string): string =>
  `events/event-${String(place).padStart(5, '0')}-${idOf(event)}.json`

/** The files of a conversation. With chance, the files next to the events that a program leaves. */
export function rendered({ base, events }: Log, random?: Random): Map<string, Buffer> {
  const files = new Map([['base_state.json', Buffer.from(base)]])
  for (const [place, event] of events.entries()) files.set(fileOf(place, event), Buffer.from(event))
  if (random?.chance(0.5)) files.set('events/.eventlog.lock', Buffer.from(''))
  if (random?.chance(0.3)) files.set(`events/.eventlog-count-${events.length}.marker`, Buffer.from(''))
  if (random?.chance(0.2)) files.set('meta.json', Buffer.from('{"title":"A chat"}\n'))
  return files
}

/** Splits a conversation again; `others` are the files that are not events. */
export function taken(files: Files): Log & { others: Map<string, Uint8Array> } {
  const others = new Map<string, Uint8Array>()
  const events: { place: number; text: string }[] = []
  for (const [path, bytes] of files) {
    const match = /^events\/event-(\d+)-/.exec(path)
    if (match) events.push({ place: Number(match[1]), text: Buffer.from(bytes).toString() })
    else if (path !== 'base_state.json') others.set(path, bytes)
  }
  events.sort((a, b) => a.place - b.place)
  return {
    base: Buffer.from(files.get('base_state.json') ?? []).toString(),
    events: events.map(event => event.text),
    others,
  }
}

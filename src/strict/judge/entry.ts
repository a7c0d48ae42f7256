import type { JsonObject } from '../json.ts'

/** One message as every wire can say it. A result is an entry of its own with the role `tool`. */
export type Entry = {
  /** `system`, `developer`, `user`, `assistant`, `tool`, or whatever else the wire says. */
  role: string
  /** The spoken words, or the words of a result, one string a text part. Never thinking. */
  texts: string[]
  /** There is content besides text: images, files, audio, provider-run tools. */
  media: boolean
  calls: Call[]
  /** The id of the call that a result answers. */
  answers?: string
  /** The message or item that this entry was read from, and its place in the history. */
  wire: JsonObject
  index: number
  at: string
}

export type Call = {
  id: string | undefined
  /** Undefined if there is none, which is another fault than an empty one. */
  name: string | undefined
  /** The arguments as JSON text; undefined if this kind of call takes none. */
  args: string | undefined
  at: string
}

export const textOf = (entry: Entry): string => entry.texts.join('')

/** No words, no media, no calls. */
export const isEmpty = (entry: Entry): boolean => textOf(entry) === '' && !entry.media && entry.calls.length === 0

export const isSystem = ({ role }: Entry): boolean => role === 'system' || role === 'developer'

export const callIds = (entries: Entry[]): Set<string | undefined> =>
  new Set(entries.flatMap(entry => entry.calls.map(call => call.id)))

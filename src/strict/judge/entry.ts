import type { JsonObject } from '../json.ts'

/** One message in a form common to all formats. A result is a separate entry with the role `tool`. */
export type HistoryEntry = {
  /** `system`, `developer`, `user`, `assistant`, `tool`, or any other role in the history. */
  role: string
  /** The text of the message or result, one string per text part. Never thinking. */
  texts: string[]
  /** There is content besides text: images, files, audio, provider-run tools. */
  media: boolean
  calls: EntryCall[]
  /** The id of the call that a result answers. */
  answers?: string
  /** The message or item that this entry was read from, and its index in the history. */
  raw: JsonObject
  index: number
  at: string
}

export type EntryCall = {
  id: string | undefined
  /** Undefined if there is none, which is a different error than an empty one. */
  name: string | undefined
  /** The arguments as JSON text; undefined if this kind of call has none. */
  args: string | undefined
  at: string
}

export const entryText = (entry: HistoryEntry): string => entry.texts.join('')

/** No text, no media, no calls. */
export const isEmpty = (entry: HistoryEntry): boolean =>
  entryText(entry) === '' && !entry.media && entry.calls.length === 0

export const isSystem = ({ role }: HistoryEntry): boolean => role === 'system' || role === 'developer'

export const callIds = (entries: HistoryEntry[]): Set<string | undefined> =>
  new Set(entries.flatMap(entry => entry.calls.map(call => call.id)))

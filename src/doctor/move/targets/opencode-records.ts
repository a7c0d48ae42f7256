import { randomLetters } from '../ids.ts'
import type { MovedCall, MovedImage, MovedMessage, MovedPart, MovedSession } from '../moved-session.ts'

/** A session of opencode: its messages and their parts, each with the time that its row has. */
export interface OpencodeSession {
  readonly id: string
  readonly slug: string
  readonly messages: readonly OpencodeMessage[]
  readonly updated: number
}

export interface OpencodeMessage extends OpencodeRecord {
  readonly parts: readonly OpencodeRecord[]
}

interface OpencodeRecord {
  readonly id: string
  readonly time: number
  /** Without its ids, as it is in the database. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Which model the program continues with; it chooses its own if there is none. */
export type OpencodeModel = { readonly providerID: string; readonly modelID: string } | undefined

export function opencodeSession({ messages, cwd }: MovedSession, model: OpencodeModel, now: number): OpencodeSession {
  const count = messages.reduce((sum, { parts }) => sum + 2 * parts.length + 4, 2)
  const ids = new Ids(now - count)
  let parent = ''
  const written = messages.map((message): OpencodeMessage => {
    const id = ids.next('msg')
    if (message.role === 'user') parent = id
    const data = message.role === 'user' ? userData(message, model) : assistantData(message, parent, cwd)
    const parts = partsOf(message).map(part => ({ id: ids.next('prt'), time: message.time, data: part }))
    return { id, time: message.time, data, parts }
  })
  return { id: ids.descending('ses'), slug: 'moved-session', messages: written, updated: now }
}

/**
 * Ids begin with a time, and the program finds out by them what came last. All of them have the time of the move, not of
 * their messages: the 48 bits of an id repeat every 795 days, so an older id could sort after a new one.
 */
class Ids {
  #time: number

  constructor(start: number) {
    this.#time = start
  }

  next(prefix: string): string {
    return this.#id(prefix, BigInt(this.#time++) * 0x1000n + 1n)
  }

  descending(prefix: string): string {
    return this.#id(prefix, ~(BigInt(this.#time) * 0x1000n + 1n))
  }

  #id(prefix: string, value: bigint): string {
    const digits = BigInt.asUintN(48, value).toString(16).padStart(12, '0')
    return `${prefix}_${digits}${randomLetters(14)}`
  }
}

const userData = ({ time }: MovedMessage, model: OpencodeModel): Record<string, unknown> => ({
  role: 'user',
  time: { created: time },
  agent: 'build',
  ...(model ? { model } : {}),
})

function assistantData({ time, parts }: MovedMessage, parentID: string, cwd: string): Record<string, unknown> {
  const calls = parts.filter(part => part.kind === 'call')
  const completed = calls.reduce((last, { result }) => Math.max(last, result.time), time)
  return {
    role: 'assistant',
    parentID,
    ...{ mode: 'build', agent: 'build', path: { cwd, root: cwd }, cost: 0, tokens },
    ...{ providerID: 'antiphon', modelID: 'moved' },
    time: { created: time, completed },
    finish: finishOf(calls),
  }
}

const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

const finishOf = (calls: readonly unknown[]): string => (calls.length > 0 ? 'tool-calls' : 'stop')

function partsOf({ role, parts, time }: MovedMessage): Record<string, unknown>[] {
  const content = parts.map(part => partData(part, time))
  if (role === 'user') return content
  const reason = finishOf(parts.filter(({ kind }) => kind === 'call'))
  return [{ type: 'step-start' }, ...content, { type: 'step-finish', reason, cost: 0, tokens }]
}

function partData(part: MovedPart, time: number): Record<string, unknown> {
  if (part.kind === 'text') return { type: 'text', text: part.text, time: { start: time, end: time } }
  if (part.kind === 'image') return fileData(part)
  return { type: 'tool', tool: part.name, callID: part.id, state: stateOf(part, time) }
}

const fileData = ({ mediaType, data }: MovedImage): Record<string, unknown> => ({
  type: 'file',
  mime: mediaType,
  filename: `image.${mediaType.slice('image/'.length)}`,
  url: `data:${mediaType};base64,${data}`,
})

/** A failed call can hold no images: one that has some counts as complete. */
function stateOf({ name, input, result: { text, time: end, images, isError } }: MovedCall, start: number): object {
  const time = { start, end }
  if (isError && images.length === 0) return { status: 'error', input, error: text, time }
  const title = typeof input.command === 'string' ? input.command : name
  const attachments = images.length === 0 ? {} : { attachments: images.map(fileData) }
  return { status: 'completed', input, output: text, title, metadata: {}, time, ...attachments }
}

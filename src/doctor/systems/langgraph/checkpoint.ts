import { isUtf8 } from 'node:buffer'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { memberSpans, type TextSpan } from '../../../core/json/json-spans.ts'
import { fileError } from '../../files/file-error.ts'
import { parseJson } from '../../files/parse-json.ts'

/** A thread, or one of its subgraphs, and its newest checkpoint. */
export interface CheckpointThread {
  readonly thread_id: string
  readonly checkpoint_ns: string
  readonly checkpoint_id: string
  readonly type: string
}

/** The name of a conversation: its thread, and in parentheses the subgraph and the channel if they are not the usual ones. */
export function idOf(
  { thread_id, checkpoint_ns }: Pick<CheckpointThread, 'thread_id' | 'checkpoint_ns'>,
  channel = '',
): string {
  const inner = [checkpoint_ns, channel].filter(name => name !== '').join(', ')
  return inner === '' ? thread_id : `${thread_id} (${inner})`
}

/** Ids of checkpoints sort by time, and the saver uses the greatest. */
export const threadsOf = (database: DatabaseSync): CheckpointThread[] =>
  database.prepare(newest).all() as unknown as CheckpointThread[]

const newest = `SELECT thread_id, checkpoint_ns, max(checkpoint_id) AS checkpoint_id, coalesce(type, 'json') AS type
  FROM checkpoints GROUP BY thread_id, checkpoint_ns ORDER BY thread_id, checkpoint_ns`

/**
 * Channels with messages besides the one that counts as the history, such as those of subagents in a graph. The
 * database searches for them, as far as it can read the checkpoint.
 */
export function furtherChannels(database: DatabaseSync, thread: CheckpointThread): string[] {
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  const found = database.prepare(lists).all(thread_id, checkpoint_ns, checkpoint_id) as unknown as ListRow[]
  if (found.some(({ name }) => name === 'messages')) found.unshift({ name: 'messages', first: null })
  const [main, ...further] = found
    .filter(({ name, first }) => name === 'messages' || isClass(first))
    .map(({ name }) => name)
  return [...new Set(further)].filter(name => name !== main)
}

interface ListRow {
  readonly name: string
  /** The class of the first message in the list. */
  readonly first: string | null
}

const lists = `SELECT key AS name, json_extract(value, '$[0].id[#-1]') AS first
  FROM checkpoints, json_each(iif(length(checkpoint) <= ${256 * 1024 * 1024} AND json_valid(CAST(checkpoint AS TEXT)),
    CAST(checkpoint AS TEXT), '{}'), '$.channel_values')
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND json_each.type = 'array' AND key NOT LIKE '\\_\\_%' ESCAPE '\\'`

const isClass = (name: unknown): boolean => typeof name === 'string' && /Message(Chunk)?$/.test(name)

/** A checkpoint with all of its channels. */
export interface ReadCheckpoint {
  readonly blob: Uint8Array | string
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
  /** Where the value of a channel is in the text. */
  spanOf(channel: string): TextSpan
}

/** A checkpoint with the place of the messages of one channel in its text. */
export interface Checkpoint {
  readonly blob: Uint8Array | string
  readonly text: string
  readonly channel: string
  readonly list: TextSpan
  readonly messages: readonly unknown[]
}

/** The value of a checkpoint as it is in its row; one that is too large is not read. */
export function blobOf(database: DatabaseSync, thread: CheckpointThread, place: string): unknown {
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  const row = database.prepare(one).get(thread_id, checkpoint_ns, checkpoint_id)
  if (Number(row?.length ?? 0) > checkpointBytesMax) throw fileError(place, 'its checkpoint has more than 256 MB')
  return row?.checkpoint
}

export const checkpointBytesMax = 256 * 1024 * 1024

const one = `SELECT length(checkpoint) AS length, iif(length(checkpoint) <= ${checkpointBytesMax}, checkpoint, NULL) AS checkpoint
  FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`

/** Reads a checkpoint. Throws a one-line error if it is not one. */
export function readCheckpoint(blob: unknown, place: string): ReadCheckpoint {
  const text = textOf(blob, place)
  const value = parseJson(text, place, parseExactly)
  if (!isRecord(value) || !isRecord(value.channel_values)) throw fileError(place, 'it is not a checkpoint')
  let spans: ReadonlyMap<unknown, TextSpan> | undefined
  const spanOf = (channel: string): TextSpan => {
    // The last one of a repeated key, as in every JSON parser.
    spans ??= new Map(
      memberSpans(text, memberOf(text, rootOf(text), 'channel_values').start).map(one => [JSON.parse(one.key), one]),
    )
    return spans.get(channel) as TextSpan
  }
  return { blob: blob as ReadCheckpoint['blob'], text, value, values: value.channel_values, spanOf }
}

/** The messages of a channel, or of the one that counts as the history; undefined if there are none. */
export function channelIn(checkpoint: ReadCheckpoint, place: string, named?: string): Checkpoint | undefined {
  const { blob, text, value, values, spanOf } = checkpoint
  const channel = named ?? channelOf(values)
  if (channel === undefined) {
    if (isDelta(value))
      throw fileError(place, 'its messages are kept as differences (DeltaChannel), which are not read')
    return undefined
  }
  const holder = values[channel]
  const messages = messagesIn(holder)
  if (!messages) return undefined
  const span = spanOf(channel)
  const list = Array.isArray(holder) ? span : memberOf(text, span, 'value')
  return { blob, text, channel, list, messages }
}

function textOf(blob: unknown, place: string): string {
  if (typeof blob === 'string') return blob
  if (!(blob instanceof Uint8Array)) throw fileError(place, 'its checkpoint is empty')
  if (!isUtf8(blob)) throw fileError(place, 'its checkpoint is not UTF-8')
  return Buffer.from(blob).toString()
}

/** The channel called `messages`, else one that holds messages. */
function channelOf(values: Readonly<Record<string, unknown>>): string | undefined {
  if (messagesIn(values.messages)) return 'messages'
  return Object.keys(values).find(name => !name.startsWith('__') && isFilled(messagesIn(values[name])))
}

/** A list of messages, or the one in a snapshot of a `DeltaChannel`. */
export function messagesIn(value: unknown): readonly unknown[] | undefined {
  const isSnapshot = isRecord(value) && value.lc === 2 && value.type === 'delta_snapshot'
  const list = isSnapshot ? value.value : value
  return Array.isArray(list) && (list.length === 0 || list.some(isMessage)) ? list : undefined
}

const isFilled = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0

/** A message of a class is written as its constructor; other programs store its fields. */
const isMessage = (value: unknown): boolean =>
  isRecord(value) &&
  (value.lc === 1 ? Array.isArray(value.id) && isClass(value.id.at(-1)) && isRecord(value.kwargs) : hasRole(value))

const hasRole = ({ role, type, content, data }: Record<string, unknown>): boolean =>
  (typeof role === 'string' || typeof type === 'string') && (content !== undefined || isRecord(data))

/** Channels that were written but have no value store differences. */
const isDelta = ({ channel_values, channel_versions }: Record<string, unknown>): boolean =>
  isRecord(channel_versions) && 'messages' in channel_versions && !('messages' in (channel_values as object))

const rootOf = (text: string): TextSpan => ({ start: text.indexOf('{'), end: text.length })

/** The value of a key of an object in a text: the last one wins, as in every JSON parser. */
function memberOf(text: string, { start }: TextSpan, key: string): TextSpan {
  return memberSpans(text, start).findLast(member => JSON.parse(member.key) === key) as TextSpan
}

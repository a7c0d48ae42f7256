import { isRecord } from '../../../../core/conversation.ts'
import { fileError } from '../../../files/file-error.ts'
import type { RecordFields } from '../../../record-format.ts'
import { type ByteSpan, extensionOf, listOf, MessagePack, writeValue } from './msgpack.ts'
import type { BlobRow } from './postgres-rows.ts'

/** A value in MessagePack, perhaps inside of a larger one. */
export interface PackedValue extends ByteSpan {
  readonly pack: MessagePack
}

/** A checkpoint as LangGraph for Python writes it. */
export interface PythonCheckpoint {
  readonly values: ReadonlyMap<string, PackedValue>
  /** The channels of steps that are not done. */
  readonly pending: readonly string[]
  readonly isDelta: boolean
  /** The version of its form. */
  readonly version: unknown
}

/** Reads a checkpoint that holds its values, as in SQLite. Throws a one-line error if it is not one. */
export function readPythonCheckpoint(blob: unknown, place: string): PythonCheckpoint {
  if (!(blob instanceof Uint8Array)) throw fileError(place, 'its checkpoint is empty')
  return reading(place, () => {
    const pack = new MessagePack(blob)
    const members = pack.members(0)
    const values = pack.members(members?.get('channel_values')?.start ?? -1)
    const fieldOf = (key: string): unknown => {
      const span = members?.get(key)
      return span && pack.value(span.start)
    }
    if (!values) throw new RangeError('it has no channels')
    const packed = new Map([...values].map(([name, span]) => [name, { ...span, pack }]))
    return checkpointOf(packed, fieldOf, channel => packed.has(channel))
  })
}

/** Reads a checkpoint whose values are in rows of their own, as in PostgreSQL; short ones are in the checkpoint. */
export function readSplitCheckpoint(fields: unknown, blobs: readonly BlobRow[], place: string): PythonCheckpoint {
  if (!isRecord(fields)) throw fileError(place, 'it is not a checkpoint')
  const { channel_values: short } = fields
  const filled = new Set([...blobs.map(({ channel }) => channel), ...(isRecord(short) ? Object.keys(short) : [])])
  const packed = blobs.filter(({ type }) => type === 'msgpack')
  return reading(place, () =>
    checkpointOf(
      new Map(packed.map(({ channel, blob }) => [channel, wholeValue(blob)])),
      key => fields[key],
      channel => filled.has(channel),
    ),
  )
}

/** The one value that bytes hold. */
export function wholeValue(blob: Uint8Array): PackedValue {
  const pack = new MessagePack(blob)
  return { pack, start: 0, end: pack.skip(0) }
}

function checkpointOf(
  values: PythonCheckpoint['values'],
  fieldOf: (key: string) => unknown,
  isFilled: (channel: string) => boolean,
): PythonCheckpoint {
  const recordOf = (key: string): RecordFields => {
    const value = fieldOf(key)
    return isRecord(value) ? value : {}
  }
  const versions = recordOf('channel_versions')
  const messages = values.get('messages')
  const isScheduled = firstOf(values.get('__pregel_tasks')) !== undefined
  return {
    values,
    pending: [
      ...branchesIn(versions, recordOf('versions_seen')).filter(isFilled),
      ...(isScheduled ? ['__pregel_tasks'] : []),
    ],
    isDelta: 'messages' in versions && (messages ? isSnapshot(messages) : !isFilled('messages')),
    version: fieldOf('v'),
  }
}

/** Most checkpoints have no value for a `DeltaChannel`; some have its whole value, in a separate extension type. */
const isSnapshot = ({ pack, start }: PackedValue): boolean => pack.extension(start)?.type === snapshotType

const snapshotType = 7

/** Bytes that cannot be read are reported in one line. */
export function reading<Result>(place: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError)
      throw fileError(place, 'its checkpoint is not the msgpack that LangGraph for Python writes')
    throw error
  }
}

function firstOf(list: PackedValue | undefined): ByteSpan | undefined {
  for (const item of list?.pack.items(list.start) ?? []) return item
  return undefined
}

/**
 * Channels that lead to a node which has not seen their last version: if they have a value, it runs when the graph is
 * resumed. After it ran they are emptied, which is a new version too.
 */
function branchesIn(versions: RecordFields, seen: RecordFields): string[] {
  return Object.keys(versions).filter(channel => {
    if (!channel.startsWith('branch:')) return false
    const node = seen[channel.slice(channel.lastIndexOf(':') + 1)]
    const before = isRecord(node) ? node[channel] : undefined
    return before === undefined || isNewer(versions[channel], before)
  })
}

const isNewer = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number' ? one > other : String(one) > String(other)

/** The channels that hold messages, the one called `messages` first. */
export function messageChannels({ values }: Pick<PythonCheckpoint, 'values'>): string[] {
  const names = [...values].flatMap(([name, value]) => {
    const { pack } = value
    const first = firstOf(value)
    const isOfMessages = first
      ? classOf(pack, first.start) !== undefined
      : name === 'messages' && pack.items(value.start) !== undefined
    return !name.startsWith('__') && isOfMessages ? [name] : []
  })
  return [...names.filter(name => name === 'messages'), ...names.filter(name => name !== 'messages')]
}

/** The channels with messages besides the history of the thread. */
export const furtherChannelsIn = (checkpoint: PythonCheckpoint): string[] =>
  messageChannels(checkpoint).slice(checkpoint.isDelta ? 0 : 1)

/** The messages of a channel as LangChain writes them in JSON, and each as its bytes. */
export interface PythonMessages {
  readonly value: PackedValue
  readonly messages: readonly RecordFields[]
  /** The bytes of a message: those in the checkpoint if it is one of `messages`. */
  write(message: unknown): Buffer
}

export function pythonMessages({ values }: PythonCheckpoint, channel: string, place: string): PythonMessages {
  const value = values.get(channel) as PackedValue
  const { pack } = value
  const spans = new Map<unknown, ByteSpan>()
  const classes = new Set<string>()
  const messages = reading(place, () =>
    Array.from(pack.items(value.start) ?? [], item => {
      const message = messageAt(pack, item.start)
      if (!message) throw fileError(place, `its channel ${channel} holds something that is not a message`)
      spans.set(message, item)
      classes.add(message.id.join('.'))
      return message
    }),
  )
  const write = (message: unknown): Buffer => {
    const known = spans.get(message)
    if (known) return pack.bytes.subarray(known.start, known.end)
    const { id, kwargs } = message as { readonly id: readonly string[]; readonly kwargs: RecordFields }
    const name = String(id.at(-1))
    // A changed message keeps its class; a new one has a class of LangChain.
    const module = classes.has(id.join('.'))
      ? id.slice(0, -1).join('.')
      : `langchain_core.messages.${modules[name] ?? 'tool'}`
    return extensionOf(messageType, writeValue([module, name, kwargs, 'model_validate_json']))
  }
  return { value, messages, write }
}

/** The messages of a write: a list or a single one. Anything else in it is left out. */
export function messagesIn({ pack, start }: PackedValue): RecordFields[] {
  const items = pack.items(start) ?? [{ start }]
  return Array.from(items, item => messageAt(pack, item.start)).filter(message => message !== undefined)
}

/** A message as LangChain writes it in JSON; undefined if it is not one. */
function messageAt(pack: MessagePack, start: number) {
  const found = classOf(pack, start)
  if (!found) return undefined
  const { module, name, content, fields } = found
  return { lc: 1, type: 'constructor', id: [...module.split('.'), name], kwargs: content.value(fields) }
}

/** The bytes around a list with other messages in it. Everything else is copied. */
export function withMessages(
  { value: { pack, start, end }, write }: PythonMessages,
  messages: readonly unknown[],
): Buffer {
  const list = listOf(messages.map(write))
  return Buffer.concat([pack.bytes.subarray(0, start), list, pack.bytes.subarray(end)])
}

/** The extension of pydantic models: their module, class, fields and the method that reads them. */
const messageType = 5

const modules: Readonly<Record<string, string | undefined>> = {
  AIMessage: 'ai',
  HumanMessage: 'human',
  SystemMessage: 'system',
  ToolMessage: 'tool',
}

function classOf(pack: MessagePack, start: number) {
  const found = pack.extension(start)
  if (found?.type !== messageType) return undefined
  const { content } = found
  const [module, name, fields] = content.items(0) ?? []
  if (!module || !name || !fields || !content.members(fields.start)) return undefined
  const title = content.value(name.start)
  if (typeof title !== 'string' || !/Message(Chunk)?$/.test(title)) return undefined
  return { module: String(content.value(module.start)), name: title, content, fields: fields.start }
}

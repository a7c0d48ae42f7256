import { isRecord } from '../../../core/conversation.ts'
import { fileError } from '../../files/file-error.ts'
import type { RecordFields } from '../../record-format.ts'
import { type ByteSpan, extensionOf, listOf, MessagePack, writeValue } from './msgpack.ts'

/** A checkpoint as LangGraph for Python writes it. */
export interface PythonCheckpoint {
  readonly blob: Uint8Array
  readonly pack: MessagePack
  /** Where the values of the channels are. */
  readonly values: ReadonlyMap<string, ByteSpan>
  /** The channels of steps that are not done. */
  readonly pending: readonly string[]
  readonly isDelta: boolean
}

/** Reads a checkpoint. Throws a one-line error if it is not one. */
export function readPythonCheckpoint(blob: unknown, place: string): PythonCheckpoint {
  if (!(blob instanceof Uint8Array)) throw fileError(place, 'its checkpoint is empty')
  return reading(place, () => {
    const pack = new MessagePack(blob)
    const members = pack.members(0)
    const values = pack.members(members?.get('channel_values')?.start ?? -1)
    const fieldOf = (key: string): RecordFields => {
      const span = members?.get(key)
      const value = span && pack.value(span.start)
      return isRecord(value) ? value : {}
    }
    if (!values) throw new RangeError('it has no channels')
    const versions = fieldOf('channel_versions')
    const isScheduled = firstOf(pack, values.get('__pregel_tasks')) !== undefined
    return {
      blob,
      pack,
      values,
      pending: [...branchesIn(versions, fieldOf('versions_seen')), ...(isScheduled ? ['__pregel_tasks'] : [])],
      isDelta: 'messages' in versions && !values.has('messages'),
    }
  })
}

/** Bytes that cannot be read are reported in one line. */
function reading<Result>(place: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError)
      throw fileError(place, 'its checkpoint is not the msgpack that LangGraph for Python writes')
    throw error
  }
}

function firstOf(pack: MessagePack, list: ByteSpan | undefined): ByteSpan | undefined {
  for (const item of (list && pack.items(list.start)) ?? []) return item
  return undefined
}

/** Channels that lead to a node which has not seen their last version: it runs when the graph is resumed. */
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
export function messageChannels({ pack, values }: PythonCheckpoint): string[] {
  const names = [...values].flatMap(([name, span]) => {
    const first = firstOf(pack, span)
    const isOfMessages = first
      ? classOf(pack, first.start) !== undefined
      : name === 'messages' && pack.items(span.start) !== undefined
    return !name.startsWith('__') && isOfMessages ? [name] : []
  })
  return [...names.filter(name => name === 'messages'), ...names.filter(name => name !== 'messages')]
}

/** The messages of a channel as LangChain writes them in JSON, and each as its bytes. */
export interface PythonMessages {
  readonly span: ByteSpan
  readonly messages: readonly RecordFields[]
  /** The bytes of a message: those in the checkpoint if it is one of `messages`. */
  write(message: unknown): Buffer
}

export function pythonMessages({ pack, values }: PythonCheckpoint, channel: string, place: string): PythonMessages {
  const span = values.get(channel) as ByteSpan
  const spans = new Map<unknown, ByteSpan>()
  const classes = new Set<string>()
  const messages = reading(place, () =>
    Array.from(pack.items(span.start) ?? [], item => {
      const found = classOf(pack, item.start)
      if (!found) throw fileError(place, `its channel ${channel} holds something that is not a message`)
      const { module, name, content, fields } = found
      const message = { lc: 1, type: 'constructor', id: [...module.split('.'), name], kwargs: content.value(fields) }
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
  return { span, messages, write }
}

/** The blob with other messages in a channel. Everything else is copied. */
export function withMessages(
  { pack }: PythonCheckpoint,
  { span, write }: PythonMessages,
  messages: readonly unknown[],
): Buffer {
  const list = listOf(messages.map(write))
  return Buffer.concat([pack.bytes.subarray(0, span.start), list, pack.bytes.subarray(span.end)])
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

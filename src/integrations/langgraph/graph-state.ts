import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { GraphReader, GraphThread, StoredCheckpoint } from './graph-store.ts'
import type { Packed } from './pack.ts'
import { isFinal } from './run-signs.ts'
import { Unpacker } from './unpack.ts'

/**
 * - `running`: a run has the lease.
 * - `parked`: an interrupt waits for its answer.
 * - `failed`: a task failed.
 * - `ready`: a step is not done, and no run works on it.
 * - `idle`: there is nothing to do.
 */
export type GraphStatus = 'running' | 'parked' | 'failed' | 'ready' | 'idle'

/** The newest checkpoint of a thread, read without LangGraph: messages are the JSON that LangChain writes. */
export interface GraphState {
  readonly status: GraphStatus
  /** When the checkpoint was made, in milliseconds; absent if it does not say so. */
  readonly updatedAt?: number
  /** The channels of steps that are not done. */
  readonly open: readonly string[]
  readonly isInterrupted: boolean
  /** The names of its channels. */
  readonly channels: readonly string[]
  /** The value of a channel, as JSON. Throws if it was not written by LangGraph's own serializer. */
  value(channel: string): Promise<unknown>
}

/**
 * Reads the newest checkpoints of threads, those of one thread one after the other. What its channels and its subgraphs have in common
 * is read once, and may stand in them only so often that the work stays in proportion to what is stored.
 */
export class GraphStates {
  readonly #reader: GraphReader
  #last: { readonly thread: string; readonly unpacker: Unpacker } | undefined

  constructor(reader: GraphReader) {
    this.#reader = reader
  }

  /** Undefined if the thread has been removed meanwhile. */
  async read(thread: GraphThread): Promise<GraphState | undefined> {
    const found = await this.#reader.find(thread.thread, thread.namespace)
    return found && stateOf(thread, found, this.#unpackerOf(thread.thread))
  }

  #unpackerOf(thread: string): Unpacker {
    if (this.#last?.thread !== thread)
      this.#last = { thread, unpacker: new Unpacker(plainJson, hashes => this.#reader.parts(thread, hashes)) }
    return this.#last.unpacker
  }
}

async function stateOf(thread: GraphThread, found: StoredCheckpoint, unpacker: Unpacker): Promise<GraphState> {
  const { ts, values } = bodyOf(found)
  await unpacker.load([], found.body.length)
  const value = async (channel: string): Promise<unknown> => {
    const packed = values.get(channel)
    if (packed === undefined) return undefined
    await unpacker.load([packed], 0)
    const value = await unpacker.unpack(packed)
    unpacker.spend(itemsIn(value))
    return value
  }
  const channels = [...values.keys()]
  const open = await openSteps(channels, value)
  // Of a failure and an interrupt, the later one counts.
  const ending = found.writes.findLast(({ channel }) => channel === '__interrupt__' || channel === '__error__')?.channel
  const updatedAt = Date.parse(String(ts))
  return {
    status: statusOf(thread, open.length > 0, ending),
    ...(Number.isNaN(updatedAt) ? {} : { updatedAt }),
    ...{ open, isInterrupted: ending === '__interrupt__', channels, value },
  }
}

/** How many items a channel has: it may be a list, or have one. */
function itemsIn(value: unknown): number {
  const list = isRecord(value) ? value.value : value
  return Array.isArray(list) ? list.length : 0
}

function statusOf({ namespace, isLeased }: GraphThread, hasSteps: boolean, ending: string | undefined): GraphStatus {
  if (isLeased && (namespace === '' || hasSteps)) return 'running'
  if (ending !== undefined) return ending === '__interrupt__' ? 'parked' : 'failed'
  return hasSteps ? 'ready' : 'idle'
}

/** A channel whose value cannot be read counts as open. */
async function openSteps(channels: readonly string[], value: (channel: string) => Promise<unknown>): Promise<string[]> {
  const open: string[] = []
  for (const channel of channels) {
    const needsValue = channel === '__pregel_tasks' || channel.startsWith('join:')
    const known = needsValue ? await value(channel).catch(() => undefined) : undefined
    const isRead = !needsValue || known !== undefined
    if (!isRead || !isFinal({ channel_values: { [channel]: known } })) open.push(channel)
  }
  return open
}

function bodyOf({ body, thread }: StoredCheckpoint): { ts: unknown; values: ReadonlyMap<string, Packed> } {
  const parsed = parsedBody(body)
  if (isRecord(parsed) && isRecord(parsed.values))
    return { ts: parsed.ts, values: new Map(Object.entries(parsed.values) as [string, Packed][]) }
  throw new AntiphonError('journal-damaged', `the newest checkpoint of thread "${thread}" cannot be read`, {
    hint: 'restore all tables of the journal from one backup',
  })
}

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** LangGraph's own serializer writes JSON, in which objects of classes are marked. They are left as they are. */
const plainJson: SerializerProtocol = {
  dumpsTyped() {
    throw new TypeError('only reads')
  },
  async loadsTyped(type, data) {
    if (type === 'json') return JSON.parse(typeof data === 'string' ? data : Buffer.from(data).toString())
    throw new AntiphonError('unreadable', `it was written by a custom serializer (type "${type}")`, {
      hint: "only what LangGraph's own serializer writes can be shown",
    })
  },
}

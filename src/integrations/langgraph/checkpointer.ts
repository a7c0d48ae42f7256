import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  getCheckpointId,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { AntiphonError } from '../../core/errors.ts'
import { assertName } from '../../journal/assert-name.ts'
import type { GraphStore, StoredCheckpoint, WriteGuard, WriteRow } from './graph-store.ts'
import { failLater, withoutUnhandledRejection } from './late-failure.ts'
import { type GraphRun, isOver, Leases, type ThreadLease } from './leases.ts'
import { type Packed, Packer } from './pack.ts'
import { endChannels, isAnswer, isFinal, isStart } from './run-signs.ts'
import { Unpacker } from './unpack.ts'

export interface CheckpointerOptions {
  /** How long a run without a sign of life keeps its thread, in ms: 15,000. */
  readonly leaseMs?: number
  /** How long a run waits for another one on its thread, in ms: 60,000. */
  readonly waitMs?: number
  readonly serde?: SerializerProtocol
}

/**
 * A LangGraph checkpointer on a journal. One run at a time owns a thread: other runs wait for it, and continue from what it
 * has stored. What occurs in many checkpoints is stored once.
 */
export class Checkpointer extends BaseCheckpointSaver {
  /** State shared with the middleware. */
  readonly store: GraphStore
  readonly leases: Leases
  /** Writes in progress, by thread. */
  readonly #writing = new Map<string, Set<Promise<unknown>>>()

  constructor(store: GraphStore, { leaseMs = 15_000, waitMs = 60_000, serde }: CheckpointerOptions = {}) {
    super(serde)
    this.store = store
    this.leases = new Leases(store, { leaseMs, waitMs })
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, namespace } = placeOf(config)
    if (thread === undefined) return isStart(config) ? noThread('start') : undefined
    const id = getCheckpointId(config) || undefined
    const lease = isStart(config) ? await this.leases.begin(config, thread, config.signal) : undefined
    const found = await this.store.find(thread, namespace, id)
    return found && this.#tuple(found, lease, id === undefined ? undefined : config)
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { limit, before, filter } = options
    const { thread_id, checkpoint_ns: namespace, checkpoint_id: id } = config.configurable ?? {}
    const earlier = before?.configurable?.checkpoint_id
    const query = {
      ...(thread_id === undefined ? {} : { thread: String(thread_id) }),
      ...(namespace === undefined ? {} : { namespace: String(namespace) }),
      ...(id ? { id: String(id) } : {}),
      ...(earlier ? { before: String(earlier) } : {}),
    }
    let left = limit ?? Number.POSITIVE_INFINITY
    let after: number | undefined
    while (left > 0) {
      const page = await this.store.list({ ...query, ...(after === undefined ? {} : { after }), limit: pageSize })
      for (const found of page) {
        const tuple = await this.#tuple(found)
        if (!fits(tuple.metadata, filter)) continue
        yield tuple
        if (--left <= 0) return
      }
      const last = page.at(-1)
      if (!last || page.length < pageSize) return
      after = last.seq
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions = {},
  ): Promise<RunnableConfig> {
    const { thread = noThread('put checkpoint'), namespace } = placeOf(config)
    const run = this.leases.runOf(config)
    run?.made.add(checkpoint.id)
    const isLast = namespace === '' && isFinal(checkpoint)
    const writing = this.#written(thread, async () => {
      const lease = run && (await this.leases.leaseOf(run, thread))
      const packer = new Packer(this.serde, lease?.stored, lease?.memory)
      const values = await packValues(checkpoint, namespace, newVersions, packer, lease)
      const { channel_values: _, ...rest } = checkpoint
      const parent = getCheckpointId(config) || undefined
      const row = {
        ...{ namespace, id: checkpoint.id, ...(parent === undefined ? {} : { parent }) },
        ...{ body: JSON.stringify({ ...rest, values }), metadata: JSON.stringify(await packer.pack(metadata)) },
      }
      const change = { parts: packer.parts, checkpoint: row }
      const write = async (guard: WriteGuard) => {
        const answer = await this.store.write(thread, guard, change)
        if (answer === 'done') lease?.checkpoints.add(checkpoint.id)
        if (run && lease && namespace === '' && answer === 'done') this.leases.advance(run, lease, checkpoint.id)
        return answer
      }
      await this.leases.write(run, thread, write, () => isLast)
      if (lease) remember(lease, packer.parts.keys(), namespace, checkpoint.channel_versions, values)
    })
    await writing.catch(error => failLater(run, error, isLast))
    return { configurable: { ...ownPlace(config, namespace), checkpoint_id: checkpoint.id } }
  }

  /** Throws at once if the run must not continue: LangGraph runs the first nodes before it looks at the promise. */
  putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const run = this.leases.runOf(config)
    if (run?.isLate && isAnswer(placeOf(config).namespace, writes, taskId)) this.leases.refuse(run, answeredBefore())
    return withoutUnhandledRejection(this.#putWrites(config, writes, taskId))
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.store.remove(String(threadId))
  }

  /**
   * Waits until the checkpoints that a task of a run belongs to are stored. LangGraph stores them one after the other while
   * tasks run, so the last of them may not have been passed on yet. If no write follows, LangGraph stores none before the end
   * of the run.
   */
  async stored(run: GraphRun, thread: string, ids: readonly string[]): Promise<void> {
    const { checkpoints } = await this.leases.leaseOf(run, thread)
    for (let idle = 0; idle < idleRounds && !ids.every(id => checkpoints.has(id)); idle++) {
      const writing = this.#writing.get(thread)
      if (writing) idle = 0
      await Promise.all(writing ?? [])
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  /**
   * Releases a thread whose run has ended without notice, as at a static breakpoint; otherwise the next run waits until the
   * lease has expired.
   */
  async release(threadId: string): Promise<void> {
    await this.store.release(String(threadId))
  }

  /** Releases the threads of runs that have ended without notice. */
  async close(): Promise<void> {
    this.leases.close()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread = noThread('put writes'), namespace } = placeOf(config)
    const checkpoint = getCheckpointId(config)
    if (!checkpoint) throw missing('put writes', 'checkpoint_id')
    const run = this.leases.runOf(config)
    await this.#written(thread, async () => {
      const lease = run && (await this.leases.leaseOf(run, thread))
      const packer = new Packer(this.serde, lease?.stored, lease?.memory)
      const rows: WriteRow[] = []
      for (const [place, [channel, value]] of writes.entries()) {
        const index = Object.hasOwn(WRITES_IDX_MAP, channel) ? (WRITES_IDX_MAP[channel] ?? place) : place
        const packed = JSON.stringify(await packer.pack(value))
        rows.push({ namespace, checkpoint, task: taskId, index, channel, value: packed })
      }
      const change = { parts: packer.parts, writes: rows }
      const isLastWord = namespace === '' && writes.some(([channel]) => endChannels.has(channel))
      const isLast = () => {
        if (run && isLastWord) run.endsAt = checkpoint
        return run !== undefined && isOver(run)
      }
      await this.leases.write(run, thread, guard => this.store.write(thread, guard, change), isLast)
      for (const hash of packer.parts.keys()) lease?.stored.add(hash)
    })
  }

  async #written(thread: string, write: () => Promise<void>): Promise<void> {
    const writing = this.#writing.get(thread) ?? new Set()
    this.#writing.set(thread, writing)
    const promise = write()
    writing.add(promise)
    try {
      await promise
    } finally {
      writing.delete(promise)
      if (writing.size === 0) this.#writing.delete(thread)
    }
  }

  async #tuple(found: StoredCheckpoint, lease?: ThreadLease, config?: RunnableConfig): Promise<CheckpointTuple> {
    const { thread, namespace, id, parent, writes } = found
    const { values, ...rest } = JSON.parse(found.body) as Body
    const unpacker = new Unpacker(this.serde, hashes => this.store.parts(thread, hashes), lease?.memory)
    const metadata: Packed = JSON.parse(found.metadata)
    const pending = writes.map(({ task, channel, value }) => ({ task, channel, value: JSON.parse(value) as Packed }))
    const length = writes.reduce((sum, { value }) => sum + value.length, found.body.length + found.metadata.length)
    await unpacker.load([...Object.values(values), metadata, ...pending.map(({ value }) => value)], length)
    if (lease) {
      lease.latest = id
      lease.checkpoints.add(id)
      remember(lease, unpacker.stored, namespace, rest.channel_versions, values)
    }
    const entries = Object.entries(values).map(async ([key, value]) => [key, await unpacker.unpack(value)] as const)
    const place = { thread_id: thread, checkpoint_ns: namespace }
    return {
      config: config ?? { configurable: { ...place, checkpoint_id: id } },
      checkpoint: { ...rest, channel_values: Object.fromEntries(await Promise.all(entries)) },
      metadata: (await unpacker.unpack(metadata)) as CheckpointMetadata,
      pendingWrites: await Promise.all(
        pending.map(async ({ task, channel, value }): Promise<CheckpointPendingWrite> => {
          return [task, channel, await unpacker.unpack(value)]
        }),
      ),
      ...(parent === undefined ? {} : { parentConfig: { configurable: { ...place, checkpoint_id: parent } } }),
    }
  }
}

type Body = Omit<Checkpoint, 'channel_values'> & { readonly values: Readonly<Record<string, Packed>> }

/** Values whose version was written before are not serialised again. */
async function packValues(
  { channel_values, channel_versions }: Checkpoint,
  namespace: string,
  newVersions: ChannelVersions,
  packer: Packer,
  lease: ThreadLease | undefined,
): Promise<Record<string, Packed>> {
  const entries: [string, Packed][] = []
  for (const [channel, value] of Object.entries(channel_values)) {
    const known = Object.hasOwn(newVersions, channel) ? undefined : lease?.channels.get(channelKey(namespace, channel))
    const isKnown = known !== undefined && known.version === channel_versions[channel] && known.version !== undefined
    entries.push([channel, isKnown ? known.value : await packer.pack(value)])
  }
  return Object.fromEntries(entries)
}

function remember(
  lease: ThreadLease,
  parts: Iterable<string>,
  namespace: string,
  versions: ChannelVersions,
  values: Readonly<Record<string, Packed>>,
): void {
  for (const hash of parts) lease.stored.add(hash)
  for (const [channel, value] of Object.entries(values))
    lease.channels.set(channelKey(namespace, channel), { version: versions[channel], value })
}

const channelKey = (namespace: string, channel: string): string => `${namespace}\n${channel}`

function placeOf({ configurable = {} }: RunnableConfig): { thread: string | undefined; namespace: string } {
  const { thread_id, checkpoint_ns } = configurable
  const thread = thread_id === undefined || thread_id === null || thread_id === '' ? undefined : String(thread_id)
  if (thread !== undefined) assertName(thread, 'the thread_id')
  return { thread, namespace: String(checkpoint_ns ?? '') }
}

const ownPlace = ({ configurable }: RunnableConfig, namespace: string) => ({
  thread_id: configurable?.thread_id,
  checkpoint_ns: namespace,
})

const fits = (metadata: CheckpointMetadata | undefined, filter: Record<string, unknown> | undefined): boolean =>
  Object.entries(filter ?? {}).every(
    ([key, value]) => (metadata as Record<string, unknown> | undefined)?.[key] === value,
  )

function noThread(what: string): never {
  throw missing(what, 'thread_id')
}

const missing = (what: string, key: string): AntiphonError =>
  new AntiphonError('missing-thread-id', `Failed to ${what}: the config has no "${key}" in its "configurable"`, {
    hint: 'name a thread: graph.invoke(input, { configurable: { thread_id: "my-thread" } })',
  })

const answeredBefore = (): AntiphonError =>
  new AntiphonError('nothing-waiting', 'another run continued the thread before this answer to an interrupt arrived', {
    hint: 'nothing was run; read the state of the graph again, and answer the interrupt that waits now',
  })

const pageSize = 50
const idleRounds = 5

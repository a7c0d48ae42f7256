import { DatabaseSync } from 'node:sqlite'
import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { schema } from './generate.ts'

/** A saver with the tables and the serializer of `SqliteSaver`, whose own database package is not installed here. */
export function openSaver(path: string): TableSaver {
  return new TableSaver(path)
}

class TableSaver extends BaseCheckpointSaver {
  readonly #path: string
  #open: DatabaseSync | undefined

  constructor(path: string) {
    super()
    this.#path = path
    this.#database.exec(`PRAGMA journal_mode = WAL; ${schema}`)
  }

  /** Lets go of the file until the next step. */
  rest(): void {
    this.#open?.close()
    this.#open = undefined
  }

  get #database(): DatabaseSync {
    this.#open ??= new DatabaseSync(this.#path)
    return this.#open
  }

  async getTuple({ configurable }: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = configurable ?? {}
    const row = this.#database
      .prepare(`SELECT * FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = coalesce(?, checkpoint_id)
        ORDER BY checkpoint_id DESC LIMIT 1`)
      .get(thread_id, checkpoint_ns, checkpoint_id ?? null) as Row | undefined
    if (!row) return undefined
    const place = (id: string): RunnableConfig => ({ configurable: { thread_id, checkpoint_ns, checkpoint_id: id } })
    const writes = this.#database
      .prepare('SELECT * FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?')
      .all(thread_id, checkpoint_ns, row.checkpoint_id) as unknown as WriteRow[]
    return {
      config: place(row.checkpoint_id),
      checkpoint: await this.serde.loadsTyped(row.type, row.checkpoint),
      metadata: await this.serde.loadsTyped(row.type, row.metadata),
      ...(row.parent_checkpoint_id ? { parentConfig: place(row.parent_checkpoint_id) } : {}),
      pendingWrites: await Promise.all(
        writes.map(
          async ({ task_id, channel, type, value }) =>
            [...([task_id, channel] as const), await this.serde.loadsTyped(type, value)] as [string, string, unknown],
        ),
      ),
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here asks for the past.
  async *list(): AsyncGenerator<CheckpointTuple> {
    throw new Error('nothing here asks for the past')
  }

  async put(
    { configurable }: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = '', checkpoint_id: parent = null } = configurable ?? {}
    const [type, bytes] = await this.serde.dumpsTyped(checkpoint)
    const [, about] = await this.serde.dumpsTyped(metadata)
    this.#database
      .prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(thread_id, checkpoint_ns, checkpoint.id, parent, type, bytes, about)
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } }
  }

  async putWrites({ configurable }: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns, checkpoint_id } = configurable ?? {}
    for (const [index, [channel, value]] of writes.entries()) {
      const [type, bytes] = await this.serde.dumpsTyped(value)
      const place = WRITES_IDX_MAP[channel] ?? index
      this.#database
        .prepare('INSERT OR REPLACE INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(thread_id, checkpoint_ns, checkpoint_id, taskId, place, channel, type, bytes)
    }
  }

  async deleteThread(): Promise<void> {
    throw new Error('nothing here is deleted')
  }
}

interface Row {
  readonly checkpoint_id: string
  readonly parent_checkpoint_id: string | null
  readonly type: string
  readonly checkpoint: Uint8Array
  readonly metadata: Uint8Array
}

interface WriteRow {
  readonly task_id: string
  readonly channel: string
  readonly type: string
  readonly value: Uint8Array
}

import { DatabaseSync } from 'node:sqlite'
import { Random } from '../../../laws/random.ts'
import { kindOf, type MessageText, Speaker } from './speaker.ts'

/** A database of checkpoints in memory, every message as the text that it is written as. */
export interface CheckpointStore {
  readonly threads: readonly StoredThread[]
}

export interface StoredThread {
  readonly thread: string
  readonly namespace: string
  /** In order; the last one is the state. */
  readonly checkpoints: readonly StoredCheckpoint[]
}

export interface StoredCheckpoint {
  readonly id: string
  readonly messages: readonly MessageText[]
  /** Other channels, as text: `"name":value` each. */
  readonly channels: readonly string[]
  readonly metadata: string
  readonly writes: readonly StoredWrite[]
}

export interface StoredWrite {
  readonly task: string
  readonly index: number
  readonly channel: string
  readonly value: string
}

/** A random healthy database: threads of several turns, each with the checkpoints of its last steps and their writes. */
export function generate(seed: number): CheckpointStore {
  const random = new Random(seed)
  const threads = Array.from({ length: random.range(1, 3) }, (_, index) => threadOf(random, index))
  return { threads }
}

function threadOf(random: Random, index: number): StoredThread {
  const speaker = new Speaker(random)
  const messages = speaker.conversation()
  const ends = messages.map((_, at) => at + 1).filter(end => isStepEnd(messages, end))
  const kept = ends.slice(-random.range(1, 4))
  const spaced = random.chance(0.3)
  const checkpoints = kept.map((end, at) => {
    const said = messages.slice(0, end)
    const previous = kept[at + 1]
    const written = previous === undefined ? [] : messages.slice(end, previous)
    return {
      id: checkpointId(random, index, at),
      messages: said,
      channels: channelsOf(random, spaced),
      metadata: JSON.stringify({ source: 'loop', step: at, parents: {} }),
      writes: written.length === 0 ? [] : [writeOf(random, written)],
    }
  })
  return { thread: `thread-${index}`, namespace: random.chance(0.2) ? 'research' : '', checkpoints }
}

/** A step ends where no results come next. */
const isStepEnd = (messages: readonly MessageText[], end: number): boolean =>
  end === messages.length || kindOf(messages[end]) !== 'tool'

export const writeOf = (random: Random, messages: readonly MessageText[]): StoredWrite => ({
  task: random.id('task-'),
  index: 0,
  channel: 'messages',
  value: `[${messages.join(',')}]`,
})

/** Version 6 sorts by time: the first digits do. */
const checkpointId = (random: Random, thread: number, at: number): string =>
  `1f0512a${thread}-${String(at).padStart(4, '0')}-6c30-8001-${random.id('').slice(0, 12)}`

/** What a graph keeps next to its messages: unknown fields, numbers as they were written, values that JSON lacks. */
function channelsOf(random: Random, spaced: boolean): string[] {
  const channels = ['"__pregel_tasks":[]']
  if (random.chance(0.4)) channels.push('"budget":1.0', '"limit":1e5', '"big":12345678901234567890')
  if (random.chance(0.3))
    channels.push('"tags":{"lc":2,"type":"constructor","id":["Set"],"method":null,"args":[["a"]],"kwargs":{}}')
  if (random.chance(0.3)) channels.push(`"files":{"notes.md":${JSON.stringify(random.sentence())}}`)
  if (random.chance(0.2)) channels.push('"empty":{"lc":2,"type":"undefined"}')
  return spaced ? channels.map(channel => channel.replace(':', ': ')) : channels
}

/** The text of a checkpoint, as the saver would hold it. */
export function checkpointText({ id, messages, channels }: StoredCheckpoint): string {
  const versions = `"channel_versions":{"__start__":2,"messages":${messages.length + 1}}`
  const seen = '"versions_seen":{"__input__":{},"__start__":{"__start__":1}}'
  const values = [`"messages":[${messages.join(',')}]`, ...channels].join(',')
  return `{"v":4,"id":"${id}","ts":"2026-06-24T18:01:39.063Z","channel_values":{${values}},${versions},${seen}}`
}

/** Writes it as `SqliteSaver` does. */
export function writeDatabase(file: string, { threads }: CheckpointStore): void {
  const database = new DatabaseSync(file)
  try {
    database.exec(`PRAGMA synchronous = OFF; BEGIN; ${schema}`)
    const put = database.prepare('INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)')
    const putWrite = database.prepare('INSERT INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    for (const { thread, namespace, checkpoints } of threads) {
      let parent: string | null = null
      for (const checkpoint of checkpoints) {
        const { id, metadata, writes } = checkpoint
        const blob = Buffer.from(checkpointText(checkpoint))
        put.run(thread, namespace, id, parent, 'json', blob, Buffer.from(metadata))
        for (const { task, index, channel, value } of writes)
          putWrite.run(thread, namespace, id, task, index, channel, 'json', Buffer.from(value))
        parent = id
      }
    }
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

export const schema = `
CREATE TABLE IF NOT EXISTS checkpoints (
  thread_id TEXT NOT NULL,
  checkpoint_ns TEXT NOT NULL DEFAULT '',
  checkpoint_id TEXT NOT NULL,
  parent_checkpoint_id TEXT,
  type TEXT,
  checkpoint BLOB,
  metadata BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE TABLE IF NOT EXISTS writes (
  thread_id TEXT NOT NULL,
  checkpoint_ns TEXT NOT NULL DEFAULT '',
  checkpoint_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  channel TEXT NOT NULL,
  type TEXT,
  value BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);`

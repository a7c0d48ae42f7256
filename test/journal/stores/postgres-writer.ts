import { openPostgres } from '../../../src/journal/stores/postgres/store.ts'
import { submit } from '../sample-entries.ts'

/**
 * A process that opens a journal and writes to its thread `t`: its own entries, as often as it takes, and inputs whose keys
 * the other processes have too. Tells which of those were taken from it.
 */
const [url, schema, writer, count] = process.argv.slice(2)
const store = await openPostgres(url, { schema })
const { thread } = await store.open('t')
const taken: string[] = []
for (let index = 0; index < Number(count); index++) {
  await append(`${writer} ${index}`)
  const key = `key ${index}`
  const input = { key, digest: writer }
  if ((await store.write({ thread, entries: [submit(writer, key)], input })).ok) taken.push(key)
}
await store.close()
process.send?.(taken)
process.disconnect?.()

async function append(content: string): Promise<void> {
  let { head } = await store.get(thread)
  for (;;) {
    const written = await store.write({ thread, entries: [submit(content)], head })
    if (written.ok) return
    head = written.row.head
  }
}

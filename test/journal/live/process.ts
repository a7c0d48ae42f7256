import { openJournal } from '../../../src/journal/index.ts'
import { chunk, lastChunk } from './chunks.ts'

/** A process that runs the threads of a journal: `node process.ts LOCATION SCHEMA`. Each answer is twenty words. */
const [location = '', schema] = process.argv.slice(2)
const journal = await openJournal(location, { live: true, ...(schema && { schema }) })
journal.work({
  thread: { for: 'openai', leaseMs: 400 },
  onCut: 'retry',
  async *model() {
    for (let word = 0; word < 20; word++) {
      yield chunk(`${process.pid}.${word} `)
      await new Promise(resolve => setTimeout(resolve, 15))
    }
    yield lastChunk
  },
})
process.send?.('ready')
process.on('disconnect', () => process.exit())

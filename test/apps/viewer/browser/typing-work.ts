import { on } from 'node:events'
import { openJournal } from '../../../../src/journal/index.ts'
import { chunks } from '../../../journal/contract/model.ts'

/** A worker as a process of its own, which is connected to others. Its model says what the parent sends, and ends or breaks off as it is told. */
const [where, live] = process.argv.slice(2)
const journal = await openJournal(where, { live: live ?? true, telemetry: false })
const told = on(process, 'message')
async function* model(): AsyncGenerator<unknown> {
  for (;;) {
    const { value } = await told.next()
    const [{ say, end }] = value as [{ say?: string; end?: 'stop' | 'break' }]
    if (say !== undefined) yield chunks([say])[0]
    if (end === 'break') throw new Error('the model is down')
    if (end === 'stop') return yield chunks([])[0]
  }
}
const worker = journal.work({ thread: { for: 'openai', graceMs: 1_000 }, pollMs: 50, model, onCut: 'retry' })
process.on('disconnect', () => process.exit())
process.send?.('ready')
await worker.done

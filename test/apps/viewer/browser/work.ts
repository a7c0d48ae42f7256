import { type ModelRequest, openJournal } from '../../../../src/journal/index.ts'
import { calls, says } from '../../../journal/contract/model.ts'

/**
 * A worker as a process of its own, on the journal that is named. What its model does is told by the last words of the
 * user: it makes the call that they name, and repeats the result.
 */
const [where] = process.argv.slice(2)
const journal = await openJournal(where, { owner: 'the-worker', telemetry: false })
const worker = journal.work({
  thread: { for: 'openai', graceMs: 1_000 },
  pollMs: 50,
  model({ messages }: ModelRequest) {
    const last = (messages as { role: string; content: string }[]).at(-1)
    if (last?.role === 'tool') return says(`The result was: ${last.content}`)
    return calls([last?.content ?? '', { name: 'staging' }])
  },
  tools: {
    drop: { approval: true, execute: () => 'dropped' },
    wait: {
      execute: (_input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    },
  },
})
// Its tools may wait for ever, so it does not wait for them.
process.on('disconnect', () => process.exit())
await worker.done

import { agent, type ModelRequest, openJournal } from '../../../../src/journal/index.ts'
import { calls, says } from '../../../journal/contract/model.ts'

/**
 * A worker as a process of its own, on the journal that is named. What its model does is told by the last words of the
 * user: it makes the call that they name, and repeats the result. `delegate` is an agent that calls `drop`.
 */
const [where] = process.argv.slice(2)
const journal = await openJournal(where, { owner: 'the-worker', telemetry: false })
function model({ messages }: ModelRequest): unknown {
  const last = (messages as { role: string; content: string }[]).at(-1)
  if (last?.role === 'tool') return says(`The result was: ${last.content}`)
  return calls([last?.content ?? '', { name: 'staging' }])
}
const drop = { approval: true, execute: () => 'dropped' }
const worker = journal.work({
  thread: { for: 'openai', graceMs: 1_000 },
  pollMs: 50,
  model,
  tools: {
    drop,
    delegate: agent({ model, prompt: () => 'drop', tools: { drop } }),
    wait: {
      execute: (_input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    },
  },
})
// Its tools may wait for ever, so it does not wait for them.
process.on('disconnect', () => process.exit())
await worker.done

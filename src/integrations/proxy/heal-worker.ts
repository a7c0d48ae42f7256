import { parentPort } from 'node:worker_threads'
import { costsMore } from '../../core/json/parse-cost.ts'
import { healRequestText } from '../fetch/heal-request-text.ts'
import type { WorkerAnswer, WorkerJob } from './heal-in-worker.ts'

/** Repairs one request in its own thread: see `heal-in-worker.ts`. */
parentPort?.once('message', (job: WorkerJob) => {
  const answer = repair(job)
  parentPort?.postMessage(answer, 'body' in answer && answer.body ? [answer.body.buffer] : [])
})

function repair({ bytes, endpoint, choices, after }: WorkerJob): WorkerAnswer {
  const { length } = bytes
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { kind: 'none' }
  }
  // Frees the bytes now, without waiting for garbage collection: the text holds the same, and the repair needs the memory.
  bytes.buffer.transfer(0)
  if (costsMore(text, budgetFor(length))) return { kind: 'too-dense' }
  const healed = healRequestText(text, { ...endpoint, url: new URL(endpoint.url) }, choices, after)
  if (!healed) return { kind: 'none' }
  const { text: repaired, repairs, remaining, ...rest } = healed
  return {
    kind: 'healed',
    healed: { ...rest, repairs: repairs.slice(0, reportedMax), remaining: remaining.slice(0, reportedMax) },
    body: rest.changed ? new TextEncoder().encode(repaired) : undefined,
  }
}

/** More repairs and diagnostics of one request are not reported: the sender controls how many there are. */
const reportedMax = 1000

/** How many bytes the parsed value of a body may take. */
const budgetFor = (length: number): number => Math.max(6 * length, 8 * 2 ** 20)

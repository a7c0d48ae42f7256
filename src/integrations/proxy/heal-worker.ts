import { parentPort } from 'node:worker_threads'
import { healRequestText } from '../fetch/heal-request-text.ts'
import type { WorkerAnswer, WorkerJob } from './heal-in-worker.ts'

/** Repairs one request in a thread of its own: see `heal-in-worker.ts`. */
parentPort?.once('message', (job: WorkerJob) => {
  const answer = repair(job)
  parentPort?.postMessage(answer, 'body' in answer && answer.body ? [answer.body.buffer] : [])
})

function repair({ bytes, endpoint, choices, rejection }: WorkerJob): WorkerAnswer {
  if (parsedBytes(bytes) > budgetFor(bytes.length)) return { kind: 'too-dense' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { kind: 'none' }
  }
  // The text says the same: without the bytes, a repair may take as much memory more. They are not waited for to be collected.
  bytes.buffer.transfer(0)
  const treated = healRequestText(text, { ...endpoint, url: new URL(endpoint.url) }, choices, rejection)
  if (!treated) return { kind: 'none' }
  const { text: repaired, repairs, remaining, ...rest } = treated
  return {
    kind: 'treated',
    treated: { ...rest, repairs: repairs.slice(0, reportedMax), remaining: remaining.slice(0, reportedMax) },
    body: rest.changed ? new TextEncoder().encode(repaired) : undefined,
  }
}

/** More repairs and diagnostics of one request are not reported: its sender chooses how many there are. */
const reportedMax = 1000

/**
 * About how many bytes a JSON text and its value take while it is parsed, at least. The parser cannot be interrupted, and a text such
 * as `[{},{},{}]` becomes more than twenty times its length. An element costs its place in the list, and another one in a list that
 * the parser keeps until it knows how long the first has to be, and which no limit of the heap counts.
 */
function parsedBytes(bytes: Uint8Array): number {
  let cost = bytes.length
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
      cost += 16
    } else if (byte === brace) cost += 56
    else if (byte === bracket) cost += 48
    else if (byte === comma) cost += 16
  }
  return cost
}

const [quote, backslash, brace, bracket, comma] = [...Buffer.from('"\\{[,')]

/** How much the value of so many bytes may take. */
const budgetFor = (length: number): number => 6 * length

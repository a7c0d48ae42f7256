import { parentPort } from 'node:worker_threads'
import { costsMore } from '../../core/json/parse-cost.ts'
import type { LargeImage, ResizedImage } from '../../core/media/resize.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { ImageResizer } from '../../heal/request/image-resizer.ts'
import { countRules } from './count-rules.ts'
import { healBodyText } from './heal-body-text.ts'
import type { ResizeAnswer, ResizeQuestion, WorkerAnswer, WorkerJob } from './heal-in-worker.ts'

/** Repairs one request in its own thread: see `heal-in-worker.ts`. */
parentPort?.once('message', async (job: WorkerJob) => {
  const answer = await repair(job)
  parentPort?.postMessage(answer, 'body' in answer && answer.body ? [answer.body.buffer] : [])
})

async function repair({ bytes, endpoint, choices, after, resizes }: WorkerJob): Promise<WorkerAnswer> {
  const { length } = bytes
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { kind: 'none' }
  }
  // Frees the bytes now, without waiting for garbage collection: the text holds the same, and the repair needs the memory.
  structuredClone(null, { transfer: [bytes.buffer] })
  if (costsMore(text, budgetFor(length))) return { kind: 'too-dense' }
  const target = { ...endpoint, url: new URL(endpoint.url) }
  const resizer = new ImageResizer(resizes ? askProxy : undefined, () => {})
  const healed = await resizer.run(resize => healBodyText(text, target, { ...choices, resize }, after))
  if (!healed) return { kind: 'none' }
  const { text: repaired, repairs, remaining, ...rest } = healed
  return {
    kind: 'healed',
    healed: {
      ...rest,
      rules: countRules(repairs),
      // Exact numbers are objects that cannot be sent to another thread.
      repairs: JSON.parse(JSON.stringify(listed(repairs))),
      remaining: JSON.parse(JSON.stringify(remaining.slice(0, reportedMax))),
    },
    body: rest.changed ? new TextEncoder().encode(repaired) : undefined,
  }
}

/** Asks the proxy to resize an image. */
function askProxy(image: LargeImage): Promise<ResizedImage | undefined> {
  const id = questions++
  return new Promise((resolve, reject) => {
    const onAnswer = ({ id: answered, image: resized, error }: ResizeAnswer): void => {
      if (answered !== id) return
      parentPort?.off('message', onAnswer)
      if (error === undefined) resolve(resized)
      else reject(new Error(error))
    }
    parentPort?.on('message', onAnswer)
    parentPort?.postMessage({ kind: 'resize', id, image } satisfies ResizeQuestion)
  })
}

let questions = 0

/** More repairs and diagnostics of one request are counted, but not listed: the sender controls how many there are. */
const reportedMax = 1000

/** The repairs to list, in their order: first of all those that removed content. */
function listed(repairs: readonly Repair[]): readonly Repair[] {
  if (repairs.length <= reportedMax) return repairs
  const lossy = repairs.filter(({ class: kind }) => kind === 'lossy').slice(0, reportedMax)
  const others = repairs.filter(({ class: kind }) => kind !== 'lossy').slice(0, reportedMax - lossy.length)
  const chosen = new Set([...lossy, ...others])
  return repairs.filter(repair => chosen.has(repair))
}

/** How many bytes the parsed value of a body may take. */
const budgetFor = (length: number): number => Math.max(6 * length, 8 * 2 ** 20)

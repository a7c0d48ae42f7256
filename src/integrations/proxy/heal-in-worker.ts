import { Worker } from 'node:worker_threads'
import { AntiphonError } from '../../core/errors.ts'
import type { LargeImage, ResizedImage } from '../../core/media/resize.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { ResizeImage } from '../../heal/request/image-resizer.ts'
import type { Endpoint } from '../fetch/endpoint.ts'
import type { HealedBodyText, PriorAnswers } from './heal-body-text.ts'

export interface WorkerJob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly endpoint: Omit<Endpoint, 'url'> & { readonly url: string }
  readonly choices: HealOptions
  /** The rejection of this request, and lessons from earlier ones. */
  readonly after: PriorAnswers
  /** The proxy can make images smaller: the worker asks it with a `ResizeQuestion`, and gets a `ResizeAnswer`. */
  readonly resizes: boolean
}

/** An image that the worker has no function to resize. */
export interface ResizeQuestion {
  readonly kind: 'resize'
  readonly id: number
  readonly image: LargeImage
}

export interface ResizeAnswer {
  readonly id: number
  readonly image?: ResizedImage | undefined
  /** The message of what was thrown. */
  readonly error?: string
}

export type WorkerAnswer =
  | {
      readonly kind: 'healed'
      readonly healed: Omit<Healed, 'body'>
      /** The repaired body, if anything changed. */
      readonly body: Uint8Array<ArrayBuffer> | undefined
    }
  /** No history in the format of the endpoint. */
  | { readonly kind: 'none' }
  | { readonly kind: 'too-dense' }

/** The result of healing a request. */
export interface Healed extends Omit<HealedBodyText, 'text'> {
  /** How many repairs of each rule there were; `repairs` may list only some of them. */
  readonly rules: Readonly<Record<string, number>>
  /** The repaired body, if anything changed. */
  readonly body: Buffer | undefined
}

/** A long body in the queue. */
export interface LongBody {
  /** How many bytes it takes while it waits. */
  readonly bytes: number
  /**
   * Its decompressed content. Called when its turn comes, and again if shorter bodies go first after all. Undefined if it
   * cannot be decompressed.
   */
  unpack(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The client has disconnected, so that the body need not be repaired. */
  isGone(): boolean
}

interface Waiting {
  readonly body: LongBody
  readonly job: Omit<WorkerJob, 'bytes'>
  readonly resize: ResizeImage | undefined
  /** The length of the body: as received, and decompressed as soon as that is known. */
  bytes: number
  timer?: NodeJS.Timeout | undefined
  resolve(healed: Healed | undefined): void
  reject(error: unknown): void
}

/**
 * Repairs long bodies in a worker thread, so that other requests are served meanwhile. The worker's memory is limited by the
 * length of the body, and its time by a timeout: a body that needs more is rejected with `repair-limit`, and can be forwarded
 * unchanged.
 *
 * One body at a time, the shortest first. A compressed body waits as it was received. If more than `bytesMax` bytes would
 * wait, or a body waits for longer than `waitMs`, it is rejected with `queueFull`.
 */
export class HealQueue {
  readonly #bytesMax: number
  readonly #waitMs: number
  readonly #running = new Set<Worker>()
  #waiting: Waiting[] = []
  #isWorking = false
  #bytes = 0

  constructor({ bytesMax = 256 * 2 ** 20, waitMs = 60_000 } = {}) {
    this.#bytesMax = bytesMax
    this.#waitMs = waitMs
  }

  heal(
    body: LongBody,
    { url, ...endpoint }: Endpoint,
    choices: HealOptions,
    after: PriorAnswers = {},
    resize?: ResizeImage,
  ): Promise<Healed | undefined> {
    for (const waiting of this.#waiting) if (waiting.body.isGone()) this.#discard(waiting)
    if (this.#bytes + body.bytes > this.#bytesMax) return Promise.reject(queueFull)
    this.count(body.bytes)
    const job = { endpoint: { ...endpoint, url: url.href }, choices, after, resizes: resize !== undefined }
    const healed = new Promise<Healed | undefined>((resolve, reject) =>
      this.#wait({ body, job, resize, bytes: body.bytes, resolve, reject }),
    )
    if (!this.#isWorking) void this.#work()
    return healed
  }

  /** Counts bytes that are kept elsewhere as if they were waiting; negative when they are released. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Terminates the running workers. */
  async close(): Promise<void> {
    for (const waiting of this.#waiting) this.#discard(waiting)
    await Promise.all([...this.#running].map(worker => worker.terminate()))
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting)
    waiting.timer = setTimeout(() => this.#discard(waiting, queueFull), this.#waitMs)
  }

  /** Takes a body out of the queue without repairing it. */
  #discard(waiting: Waiting, error?: unknown): void {
    clearTimeout(waiting.timer)
    this.#waiting = this.#waiting.filter(other => other !== waiting)
    this.count(-waiting.bytes)
    if (error) waiting.reject(error)
    else waiting.resolve(undefined)
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    while (this.#waiting.length > 0) {
      const next = this.#waiting.reduce((first, other) => (other.bytes < first.bytes ? other : first))
      clearTimeout(next.timer)
      this.#waiting = this.#waiting.filter(other => other !== next)
      try {
        const bytes = next.body.isGone() ? undefined : await next.body.unpack()
        const grown = (bytes?.length ?? next.bytes) - next.bytes
        if (this.#bytes + grown > this.#bytesMax) throw queueFull
        this.count(grown)
        next.bytes += grown
        if (grown > 0 && this.#waiting.some(other => other.bytes < next.bytes)) {
          this.#wait(next)
          continue
        }
        next.resolve(bytes && (await this.#run({ ...next.job, bytes }, next.resize)))
      } catch (error) {
        next.reject(error)
      }
      this.count(-next.bytes)
    }
    this.#isWorking = false
  }

  async #run(job: WorkerJob, resize: ResizeImage | undefined): Promise<Healed | undefined> {
    const length = job.bytes.length
    const worker = new Worker(program, {
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(baseMb + heapFactor * (length / 2 ** 20)),
        maxYoungGenerationSizeMb: 16,
      },
      stdout: true,
      stderr: true,
    })
    worker.postMessage(job, [job.bytes.buffer])
    this.#running.add(worker)
    let timer: NodeJS.Timeout | undefined
    try {
      const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
        timer = setTimeout(() => reject(limit(length, `takes more than ${timeMs / 1000} seconds`)), timeMs)
        worker.on('message', (message: WorkerAnswer | ResizeQuestion) => {
          if (message.kind === 'resize') void answerQuestion(worker, message, resize)
          else resolve(message)
        })
        worker.on('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? limit(length, 'needs too much memory') : error),
        )
        worker.on('exit', () => reject(limit(length, 'needs too much memory')))
      })
      if (answer.kind === 'too-dense') throw limit(length, 'needs too much memory')
      if (answer.kind === 'none') return undefined
      const { healed, body } = answer
      return { ...healed, body: body && Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
    } finally {
      clearTimeout(timer)
      this.#running.delete(worker)
      await worker.terminate()
    }
  }
}

/** Resizes an image for the worker, which may have ended by then. */
async function answerQuestion(worker: Worker, { id, image }: ResizeQuestion, resize?: ResizeImage): Promise<void> {
  const answer = (message: ResizeAnswer): void => worker.postMessage(message)
  try {
    answer({ id, image: await resize?.(image) })
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

/** The heap of a worker: a base for the code, plus a multiple of the body's length. */
const [baseMb, heapFactor] = [32, 4.5]

const timeMs = 30_000

/** The queue is full, or a body waited in it for too long. */
export const queueFull = new AntiphonError('repair-limit', 'too many long requests are waiting to be checked', {
  hint: 'the request was not checked or repaired; send fewer long requests at once, or run a second proxy',
})

/** Next to this file, both in the sources and in the package. */
const program = new URL(import.meta.url.endsWith('.ts') ? './heal-worker.ts' : './heal-worker.js', import.meta.url)

const limit = (length: number, problem: string): AntiphonError =>
  new AntiphonError('repair-limit', `checking a request of ${(length / 2 ** 20).toFixed(1)} MB ${problem}`, {
    hint: 'it was forwarded unchanged; shorten the history, for example with trim',
  })

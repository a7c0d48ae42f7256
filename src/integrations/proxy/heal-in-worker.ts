import { Worker } from 'node:worker_threads'
import { AntiphonError } from '../../core/errors.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import type { Endpoint } from '../fetch/endpoint.ts'
import type { HealedText } from '../fetch/heal-request-text.ts'

export interface WorkerJob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly endpoint: Omit<Endpoint, 'url'> & { readonly url: string }
  readonly choices: HealOptions
  /** What the provider rejected before. */
  readonly rejection?: Rejection | undefined
}

export type WorkerAnswer =
  | {
      readonly kind: 'treated'
      readonly treated: Omit<HealedText, 'text'>
      /** The repaired body, if anything changed. */
      readonly body: Uint8Array<ArrayBuffer> | undefined
    }
  /** No history in the format of the endpoint. */
  | { readonly kind: 'none' }
  | { readonly kind: 'too-dense' }

/** What became of a request. */
export interface Healed extends Omit<HealedText, 'text'> {
  /** The repaired body, if anything changed. */
  readonly body: Buffer | undefined
}

/**
 * Repairs long bodies in a worker thread, so that others are served meanwhile. The memory of the worker is bounded by the length of
 * the body, and its time by a limit: a body that takes more is rejected with `repair-limit`, and can be forwarded unchanged.
 * One body at a time; `bytes` are moved to the worker.
 */
export class HealQueue {
  #last: Promise<unknown> = Promise.resolve()
  readonly #running = new Set<Worker>()

  heal(
    bytes: Uint8Array<ArrayBuffer>,
    { url, ...endpoint }: Endpoint,
    choices: HealOptions,
    rejection?: Rejection,
  ): Promise<Healed | undefined> {
    const job: WorkerJob = { bytes, endpoint: { ...endpoint, url: url.href }, choices, rejection }
    const done = this.#last.then(() => this.#run(job))
    this.#last = done.catch(() => {})
    return done
  }

  /** Ends what is running. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map(worker => worker.terminate()))
  }

  async #run(job: WorkerJob): Promise<Healed | undefined> {
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
        timer = setTimeout(() => reject(limit(length, `${timeMs / 1000} seconds`)), timeMs)
        worker.on('message', resolve)
        worker.on('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? limit(length, 'memory') : error),
        )
        worker.on('exit', () => reject(limit(length, 'memory')))
      })
      if (answer.kind === 'too-dense') throw limit(length, 'memory')
      if (answer.kind === 'none') return undefined
      const { treated, body } = answer
      return { ...treated, body: body && Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
    } finally {
      clearTimeout(timer)
      this.#running.delete(worker)
      await worker.terminate()
    }
  }
}

/** The heap of a worker: so much for the code, and so many times the body. */
const [baseMb, heapFactor] = [32, 4.5]

const timeMs = 30_000

/** Beside this file, from the sources as from the package. */
const program = new URL(import.meta.url.endsWith('.ts') ? './heal-worker.ts' : './heal-worker.js', import.meta.url)

const limit = (length: number, what: string): AntiphonError =>
  new AntiphonError(
    'repair-limit',
    `checking a request of ${(length / 2 ** 20).toFixed(1)} MB takes too much ${what}`,
    {
      hint: 'it was forwarded unchanged',
    },
  )

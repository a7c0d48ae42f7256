import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Entry } from '../../../src/journal/entry.ts'
import type { ThreadRow } from '../../../src/journal/stores/store.ts'
import { eventually } from '../../eventually.ts'
import { problemsOf } from '../../kill/evidence.ts'
import { bundleWorker } from '../../workerd/bundle.ts'
import { startLedger } from '../../workerd/ledger-server.ts'
import { type StartedWorker, startWorker } from '../../workerd/start-worker.ts'
import type { Crash } from '../../workerd/thread-worker.ts'

export interface ObjectState {
  readonly row: ThreadRow
  readonly entries: readonly Entry[]
  /** The points that the object has reached, and how many instances of it there were. */
  readonly points: number
  readonly instances: number
  /** The code of the last error of the worker. */
  readonly error?: string
}

/** Inputs that the scripted model answers with calls. */
export const inputs = ['plain', 'parallel', 'asking', 'stream', 'outside']

/** Threads in objects of the real runtime, on disk. */
export async function openThreadObjects() {
  const code = await bundleWorker('test/workerd/thread-worker.ts')
  const ledger = await startLedger()
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-objects-'))
  let kills = 0
  const start = (): Promise<StartedWorker> =>
    startWorker(code, ['ThreadObject'], { folder, bindings: { ledger: ledger.url }, onOutput })
  const onOutput = (text: string): void => {
    if (!text.includes('kill me')) return
    worker.kill()
    kills++
    restarted = restarted.then(async () => {
      await worker.stop()
      worker = await start()
    })
  }
  let worker = await start()
  let restarted = Promise.resolve()

  const post = async (path: string, body: unknown = {}): Promise<string> =>
    (await worker.fetch(path, { method: 'POST', body: JSON.stringify(body) })).text()

  /** Says where the object crashes: nowhere at 0. */
  const crashAt = (name: string, crash: Crash): Promise<unknown> => post(`/${name}/crash`, crash)

  /** Submits until it is accepted: the object may crash before it answers. */
  const submit = (name: string, content: string): Promise<unknown> =>
    eventually(async () => expect(await post(`/${name}/submit`, { content, key: 'first' })).toContain('"seq"'))

  /** Decides what waits, until the turn has ended. Nothing but the alarm runs it. */
  const finish = (name: string): Promise<ObjectState> =>
    eventually(async () => {
      await restarted
      await post(`/${name}/decide`)
      const state = (await (await worker.fetch(`/${name}/state`)).json()) as ObjectState
      expect(state.entries.at(-1)).toMatchObject({ kind: 'turn-end', status: 'done' })
      expect(state.row.dueAt).toBe(undefined)
      return state
    })

  return {
    ...{ post, submit, finish },
    url: () => worker.url,
    get: async (path: string): Promise<unknown> => (await worker.fetch(path)).json(),
    kills: () => kills,
    /** Has an input answered in an object that crashes at a point. */
    async crashed(name: string, input: string, crash: Crash, wait = async () => {}): Promise<ObjectState> {
      await eventually(() => crashAt(name, crash))
      await submit(name, input)
      await wait()
      const state = await finish(name)
      expect(state.row.name).toBe(name)
      expect(problemsOf(state.row, state.entries, ledger.lines, true)).toEqual([])
      return state
    },
    async close() {
      await restarted
      await worker.stop()
      ledger.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

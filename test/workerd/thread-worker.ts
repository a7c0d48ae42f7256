import {
  AntiphonThread,
  type ObjectContext,
  type ThreadSettings,
} from '../../src/integrations/durable-objects/index.ts'
import type { ModelRequest } from '../../src/journal/index.ts'
import { wordOf } from '../journal/invariants/words.ts'
import type { Line } from '../kill/ledger.ts'
import { modelWith } from '../kill/model.ts'
import type { Points } from '../kill/points.ts'

/** Objects that crash where a test wants them to, and tools whose effects are outside. */

interface Env {
  /** Where effects are written down. */
  readonly ledger: string
  readonly ThreadObject: Namespace
}

/** Where an object crashes: at which of its points, and whether the object alone or the whole runtime. */
export interface Crash {
  readonly at: number
  readonly kind: 'abort' | 'kill'
}

/** An object that has crashed is a new one, so these are kept outside of it. */
const crashes = new Map<string, Crash>()
const points = new Map<string, number>()
const errors = new Map<string, string>()
const instances = new Map<string, number>()

function reach(ctx: Abortable, name: string): void {
  const count = (points.get(name) ?? 0) + 1
  points.set(name, count)
  const crash = crashes.get(name)
  if (crash?.at !== count) return
  if (crash.kind === 'abort') ctx.abort('a crash')
  console.log('kill me')
  // Not one line more may run.
  for (;;);
}

const released = new Set<string>()

/** Streams the first part, and the second one when it is released. */
async function* slowAnswer(name: string): AsyncGenerator<unknown> {
  const chunk = (content: string, finish_reason: string | null = null) => ({
    ...{ id: 'r', object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
  })
  yield chunk('Part one. ')
  while (!released.has(name)) await new Promise(resolve => setTimeout(resolve, 10))
  yield chunk('Part two.', 'stop')
}

interface Abortable extends ObjectContext {
  abort(reason: string): void
}

/** Each write has two points: one in its transaction, and one after it. */
const crashing = (ctx: Abortable): Abortable => ({
  id: ctx.id,
  abort: reason => ctx.abort(reason),
  acceptWebSocket: socket => ctx.acceptWebSocket(socket),
  getWebSockets: () => ctx.getWebSockets(),
  storage: {
    sql: ctx.storage.sql,
    setAlarm: at => ctx.storage.setAlarm(at),
    deleteAlarm: () => ctx.storage.deleteAlarm(),
    transactionSync(work) {
      const name = String(ctx.id)
      const answer = ctx.storage.transactionSync(() => {
        const done = work()
        reach(ctx, name)
        return done
      })
      reach(ctx, name)
      return answer
    },
  },
})

export class ThreadObject extends AntiphonThread<Env> {
  constructor(ctx: Abortable, env: Env) {
    const name = String(ctx.id)
    instances.set(name, (instances.get(name) ?? 0) + 1)
    super(crashing(ctx), env)
  }

  protected override settings(): ThreadSettings {
    const scripted = modelWith({ reach: () => {} } as unknown as Points)
    const model = (request: ModelRequest): unknown =>
      /"slow"/.test(JSON.stringify(request.messages.at(-1))) ? slowAnswer(request.thread) : scripted(request)
    const effect = async (tool: string, input: object, key: string): Promise<string> => {
      await this.#add({ kind: 'effect', tool, key, process: 0, input })
      return `${tool} did it ${wordOf('out', Math.floor(Math.random() * 2 ** 40))}`
    }
    return {
      thread: { for: 'openai' },
      model,
      tools: {
        charge: { execute: (input: object, { key }) => effect('charge', input, key) },
        look: { execute: (input: object, { key }) => effect('look', input, key), replay: 'safe' },
        pay: { execute: (input: object, { key }) => effect('pay', input, key), approval: true },
        ask: {},
      },
      allowOrigins: ['https://app.example'],
      onError: (_, error) => errors.set(String(this.ctx.id), String((error as { code?: unknown }).code)),
    }
  }

  async #add(line: Line): Promise<void> {
    await (await fetch(this.env.ledger, { method: 'POST', body: JSON.stringify(line) })).text()
  }

  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const [, name, what] = pathname.split('/')
    const { thread } = this
    if (what === 'submit') {
      const { content, key } = (await request.json()) as { content: string; key: string }
      const receipt = await thread.submit(content, { key })
      await this.#add({ kind: 'receipt', receipt: { thread: name, key, seq: receipt.seq }, content })
      return Response.json(receipt)
    }
    if (what === 'decide') {
      for (const { id, parked } of await thread.openCalls()) {
        if (parked?.why === 'approval') await thread.approve(id)
        if (parked?.why === 'outside')
          await thread.settle(id, `said ${wordOf('out', Math.floor(Math.random() * 2 ** 40))}`)
      }
      return Response.json({})
    }
    if (what === 'release') return Response.json(released.add(name).size)
    if (what === 'replace') {
      // A newer instance, as if the runtime had begun one before this one was gone.
      await new ThreadObject(this.ctx as Abortable, this.env).alarm()
      return Response.json({})
    }
    if (what === 'abort') {
      const answer = Response.json({})
      setTimeout(() => (this.ctx as Abortable).abort('a crash'), 1)
      return answer
    }
    if (what === 'crash') {
      crashes.set(String(this.ctx.id), (await request.json()) as Crash)
      points.set(String(this.ctx.id), 0)
      return Response.json({})
    }
    if (what !== 'state') return super.fetch(request)
    const { store } = this.journal
    const row = await store.open(thread.name)
    const entries = await store.read(row.thread, 0)
    const id = String(this.ctx.id)
    return Response.json({
      row,
      entries,
      points: points.get(id) ?? 0,
      instances: instances.get(id),
      error: errors.get(id),
    })
  }
}

interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const [, name] = new URL(request.url).pathname.split('/')
    return env.ThreadObject.get(env.ThreadObject.idFromName(name)).fetch(request)
  },
}

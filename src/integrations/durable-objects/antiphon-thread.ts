import { warn } from '../../heal/warn.ts'
import { systemClock } from '../../journal/clock.ts'
import { Journal } from '../../journal/journal.ts'
import { DurableObjectStore } from '../../journal/stores/durable-object/store.ts'
import { randomUid } from '../../journal/stores/uid.ts'
import type { Thread } from '../../journal/thread.ts'
import type { WorkOptions } from '../../journal/worker.ts'
import { Alarms } from './alarms.ts'
import type { AlarmInfo, ObjectContext, ObjectSocket } from './object-context.ts'
import { answer } from './routes.ts'
import { Sockets } from './sockets.ts'

/** How the thread of an object is run: the options of a worker. */
export interface ThreadSettings extends Omit<WorkOptions, 'threads' | 'pollMs'> {
  /** Other origins whose pages may open a WebSocket, such as `https://app.example.com`. Pages of the origin of the request always may. */
  readonly allowOrigins?: readonly string[]
}

/**
 * A Durable Object with a thread in its SQLite storage. While there is something to do, the object has an alarm: it runs the turns, continues them
 * after an eviction or a crash, and settles calls that have expired. Requests and WebSockets submit input, decide calls, read and watch.
 */
export abstract class AntiphonThread<Env = unknown> {
  /** Marks the class for the types of the runtime. It has no value. */
  declare readonly __DURABLE_OBJECT_BRAND: never
  readonly journal: Journal
  protected readonly ctx: ObjectContext
  protected readonly env: Env
  readonly #store: DurableObjectStore
  readonly #alarms: Alarms
  readonly #sockets: Sockets
  #thread: Thread | undefined

  constructor(ctx: ObjectContext, env: Env) {
    this.ctx = ctx
    this.env = env
    const update = (): void => this.#sockets.update()
    this.#store = new DurableObjectStore(ctx.storage, {
      onChange: () => {
        this.#alarms.changed()
        update()
      },
    })
    this.#store.endLeases()
    this.journal = new Journal(this.#store, systemClock, randomUid())
    this.#alarms = new Alarms(ctx.storage, this.#store, failed => this.#work(failed), update)
    this.#sockets = new Sockets({
      ctx,
      thread: () => this.thread,
      state: () => ({ head: this.#store.headOf(this.thread.name), isBusy: this.#alarms.isBusy }),
      onError: warn,
    })
    // Sockets from before the object hibernated or crashed continue.
    update()
  }

  /** The model, the tools and the options of the thread. Called when they are needed. */
  protected abstract settings(): ThreadSettings

  /** The thread. It has the name of the object, and keeps it. */
  get thread(): Thread {
    const name = (): string => this.#store.firstName() ?? this.ctx.id.name ?? this.ctx.id.toString()
    this.#thread ??= this.journal.thread(name(), this.settings().thread)
    return this.#thread
  }

  /** Answers a request by the last part of its path. To authorize requests, override it, and call `super.fetch(request)`. */
  async fetch(request: Request): Promise<Response> {
    const { journal, thread } = this
    return answer(request, {
      ...{ journal, thread, onError: warn },
      watch: after => this.#sockets.accept(after),
      allowOrigins: () => this.settings().allowOrigins ?? [],
    })
  }

  /** Called by the runtime: runs what there is to do. */
  alarm(info?: AlarmInfo): Promise<void> {
    return this.#alarms.run(info)
  }

  /** Called by the runtime. */
  webSocketMessage(socket: ObjectSocket, message: unknown): Promise<void> {
    return this.#sockets.receive(socket, message)
  }

  /** Called by the runtime. */
  webSocketClose(socket: ObjectSocket): void {
    socket.close()
    this.#sockets.update()
  }

  #work(failed: () => void) {
    const { onError = (_, error) => warn(error), allowOrigins: _, ...settings } = this.settings()
    return this.journal.work({
      ...settings,
      onError(name, error) {
        failed()
        return onError(name, error)
      },
    })
  }
}

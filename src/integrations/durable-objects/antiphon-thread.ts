import { warn } from '../../heal/warn.ts'
import { systemClock } from '../../journal/clock.ts'
import { Journal } from '../../journal/journal.ts'
import { DurableObjectStore } from '../../journal/stores/durable-object/store.ts'
import { randomUid } from '../../journal/stores/uid.ts'
import type { Thread } from '../../journal/thread.ts'
import type { WorkOptions } from '../../journal/worker.ts'
import { Alarms } from './alarms.ts'
import type { AlarmInfo, ObjectContext } from './object-context.ts'

/** How the thread of an object is run: the options of a worker. */
export type ThreadSettings = Omit<WorkOptions, 'threads' | 'pollMs'>

/**
 * A Durable Object with a thread in its SQLite storage. While there is something to do, the object has an alarm: it runs the turns, continues them
 * after an eviction or a crash, and ends what waits too long.
 */
export abstract class AntiphonThread<Env = unknown> {
  /** Marks the class for the types of the runtime. It has no value. */
  declare readonly __DURABLE_OBJECT_BRAND: never
  readonly journal: Journal
  protected readonly ctx: ObjectContext
  protected readonly env: Env
  readonly #store: DurableObjectStore
  readonly #alarms: Alarms
  #thread: Thread | undefined

  constructor(ctx: ObjectContext, env: Env) {
    this.ctx = ctx
    this.env = env
    this.#store = new DurableObjectStore(ctx.storage, { onChange: () => this.#alarms.changed() })
    this.#store.endLeases()
    this.journal = new Journal(this.#store, systemClock, randomUid())
    this.#alarms = new Alarms(ctx.storage, this.#store, failed => {
      const { onError = (_, error) => warn(error), ...settings } = this.settings()
      return this.journal.work({
        ...settings,
        onError(name, error) {
          failed()
          return onError(name, error)
        },
      })
    })
  }

  /** The model, the tools and the options of the thread. Called when they are needed. */
  protected abstract settings(): ThreadSettings

  /** The thread. It has the name of the object, and keeps it. */
  get thread(): Thread {
    const name = (): string => this.#store.firstName() ?? this.ctx.id.name ?? this.ctx.id.toString()
    this.#thread ??= this.journal.thread(name(), this.settings().thread)
    return this.#thread
  }

  /** Called by the runtime: runs what there is to do. */
  alarm(info?: AlarmInfo): Promise<void> {
    return this.#alarms.run(info)
  }
}

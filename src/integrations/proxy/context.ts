import type { Pool } from 'undici'
import type { HealOptions } from '../../heal/options.ts'
import type { RejectionMemory } from '../../heal/rejections/lessons.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { HealQueue } from './heal-in-worker.ts'
import type { Metrics, UnhealedReason } from './metrics.ts'
import type { ProxyReport } from './proxy-options.ts'
import type { Upstream, Wayfinder } from './routes.ts'
import type { Trouble } from './trouble.ts'

/** What all requests of a proxy share. */
export interface House {
  readonly upstreams: readonly Upstream[]
  readonly findWay: Wayfinder
  readonly pools: ReadonlyMap<Upstream, Pool>
  readonly choices: HealOptions
  readonly dryRun: boolean
  readonly maxBytes: number
  readonly tape: Tape | undefined
  readonly metrics: Metrics
  /** What rejections taught. */
  readonly memory: RejectionMemory
  /** Repairs long bodies. */
  readonly queue: HealQueue
  report(report: ProxyReport): void
  trouble(trouble: Trouble): void
  /** A request goes on as it is although it might need healing. */
  unhealed(reason: UnhealedReason, error: unknown): void
}

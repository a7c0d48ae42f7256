import type { Pool } from 'undici'
import type { HealOptions } from '../../heal/options.ts'
import type { RejectionMemory } from '../../heal/rejections/lessons.ts'
import type { ImageResizer } from '../../heal/request/image-resizer.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { HealthyPrefixes } from '../fetch/check/healthy-prefixes.ts'
import type { HealQueue } from './heal-in-worker.ts'
import type { Metrics, UnhealedReason } from './metrics.ts'
import type { ProxyError } from './proxy-error.ts'
import type { ProxyReport } from './proxy-options.ts'
import type { Router, Upstream } from './routes.ts'

/** What all requests of a proxy share. */
export interface ProxyContext {
  readonly upstreams: readonly Upstream[]
  readonly findRoute: Router
  readonly pools: ReadonlyMap<Upstream, Pool>
  readonly choices: HealOptions
  /** Runs repairs with the caller's `resize`. */
  readonly resizer: ImageResizer
  readonly dryRun: boolean
  readonly maxBytes: number
  readonly tape: Tape | undefined
  readonly metrics: Metrics
  /** What was learnt from rejections. */
  readonly memory: RejectionMemory
  /** The beginnings of healthy requests. */
  readonly prefixes: HealthyPrefixes | undefined
  /** Repairs long bodies. */
  readonly queue: HealQueue
  report(report: ProxyReport): void
  proxyError(proxyError: ProxyError): void
  /** A request is forwarded unchanged although it might need repair. */
  unhealed(reason: UnhealedReason, error: unknown): void
}

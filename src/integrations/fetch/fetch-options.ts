import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { EventOptions } from '../../observe/telemetry/trace-repairs.ts'

export interface HealFetchOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair'> {
  /** What sends the requests. By default the global `fetch`, as it is when a request is made. */
  readonly fetch?: typeof globalThis.fetch
  /** Hears of every request that was changed. */
  readonly onRepair?: (report: FetchReport) => void
  /** Hears why a request went out as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
  /** Bodies above this are not looked at: 64 MB by default. */
  readonly maxBytes?: number
  /** Records every request with a history in it, and what came of it. By default the tape that ANTIPHON_TAPE names, if it does. */
  readonly tape?: Tape
  /** Repairs are events of the active span of OpenTelemetry, if there is one; `false` makes none. */
  readonly telemetry?: EventOptions
}

/** What was done to a request. */
export interface FetchReport extends Report {
  /** Where it went, without the query and whatever else could hold a key. */
  readonly url: string
  /** Who reads it: as the caller, the URL, the model or a refusal says. */
  readonly dialect: DialectId
  readonly format: CodecId
  readonly model?: string
  /** What the provider refused before, if this is the second try. */
  readonly refusal?: { readonly status: number; readonly fact: string }
}

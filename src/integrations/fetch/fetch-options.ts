import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import type { HealOptions } from '../../heal/options.ts'
import type { ResizeImage } from '../../heal/request/image-resizer.ts'
import type { Tape } from '../../observe/tape/create-tape.ts'
import type { EventOptions } from '../../observe/telemetry/trace-repairs.ts'

export interface HealFetchOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair'> {
  /** The function that sends requests. By default the global `fetch` at the time of the request. */
  readonly fetch?: typeof globalThis.fetch
  /** Called for every request that was changed. */
  readonly onRepair?: (report: FetchReport) => void
  /**
   * Called with the reason when a request is sent unchanged although it might need repair, or when `resize` fails. By default this is a
   * process warning.
   */
  readonly onError?: (error: unknown) => void
  /** Longer bodies are not checked: 64 MB by default. */
  readonly maxBytes?: number
  /**
   * Makes a smaller image of one that is too large for the provider, before the request is sent or after a rejection. Without it such an
   * image becomes a text.
   */
  readonly resize?: ResizeImage
  /** Records every request with a history, and its response. By default the tape named by ANTIPHON_TAPE, if set. */
  readonly tape?: Tape
  /** Repairs are added as events to the active OpenTelemetry span, if there is one; `false` adds none. */
  readonly telemetry?: EventOptions
}

/** What was done to a request. */
export interface FetchReport extends Report {
  /** The URL without its query and anything else that could contain a key. */
  readonly url: string
  /** The provider's dialect, identified by the caller, the URL, the model or a rejection. */
  readonly dialect: DialectId
  readonly format: CodecId
  readonly model?: string
  /** What the provider rejected before, if this is the retry. */
  readonly refusal?: { readonly status: number; readonly fact: string }
}

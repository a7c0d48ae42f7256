import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { ImageResizer, type ResizeImage } from '../../heal/request/image-resizer.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'

/** What was changed in a history, and for which provider. */
export interface LangChainReport extends Report {
  readonly dialect: DialectId
  readonly model?: string
}

export interface LangChainOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair' | 'model'> {
  /** Called for every history that was changed. */
  readonly onRepair?: (report: LangChainReport) => void
  /** Called with the error if healing failed and the history was passed on unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
  /** Resizes images that are too large for the provider; see `healFetch`. Without it they become short texts. */
  readonly resize?: ResizeImage
}

/** The options with their defaults. Throws on unknown names, before any model is called. */
export function readOptions({ onRepair = warnOfLoss, onError = warn, resize, ...choices }: LangChainOptions) {
  planFor([], choices)
  return { onRepair, onError, choices, resizer: ImageResizer.of(resize, error => notify(onError, error)) }
}

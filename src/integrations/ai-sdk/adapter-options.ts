import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'

/** What was done to a history, and for whom. */
export interface AiSdkReport extends Report {
  readonly dialect: DialectId
  readonly model?: string
  /** What the provider rejected before, if this is the second try. */
  readonly refusal?: { readonly status: number; readonly fact: string }
}

export interface AiSdkOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair' | 'model'> {
  /** Hears of every history that was changed. */
  readonly onRepair?: (report: AiSdkReport) => void
  /** Hears why a history went on as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/** The options with what they leave open. Names that do not exist are refused here, before anything is asked. */
export function readOptions({ onRepair = warnOfLoss, onError = warn, ...choices }: AiSdkOptions) {
  planFor([], choices)
  return { onRepair, onError, choices }
}

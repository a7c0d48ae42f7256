import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'

/** What was done to a history, and for whom. */
export interface LangChainReport extends Report {
  readonly dialect: DialectId
  readonly model?: string
}

export interface LangChainOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair' | 'model'> {
  /** Hears of every history that was changed. */
  readonly onRepair?: (report: LangChainReport) => void
  /** Hears why a history went on as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/** The options with what they leave open. Names that do not exist are refused here, before anything is asked. */
export function readOptions({ onRepair = warnOfLoss, onError = warn, ...choices }: LangChainOptions) {
  planFor([], choices)
  return { onRepair, onError, choices }
}

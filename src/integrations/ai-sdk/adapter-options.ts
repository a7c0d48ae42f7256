import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'

/** What was done to a history, and for which dialect. */
export interface AiSdkReport extends Report {
  readonly dialect: DialectId
  readonly model?: string
  /** What the provider rejected before, if this is the retry. */
  readonly refusal?: { readonly status: number; readonly fact: string }
}

export interface AiSdkOptions extends Omit<HealOptions, 'format' | 'continues' | 'onRepair' | 'model'> {
  /** Called for every history that was changed. */
  readonly onRepair?: (report: AiSdkReport) => void
  /**
   * Called when a history is sent unchanged although it might need repair, with the reason. By default this is a process
   * warning.
   */
  readonly onError?: (error: unknown) => void
}

/** The options with defaults filled in. Throws for unknown names, before any request. */
export function readAiSdkOptions({ onRepair = warnOfLoss, onError = warn, ...choices }: AiSdkOptions) {
  planFor([], choices)
  return { onRepair, onError, choices }
}

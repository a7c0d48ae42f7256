import { describeWithHint } from '../core/describe-error.ts'
import { printable } from '../core/printable.ts'
import type { Repair } from '../core/rules/repair.ts'

/** Prints a warning: a process warning where there is a process, else on the console. */
export function warn(error: unknown): void {
  const code = codeOf(error)
  const type = 'AntiphonWarning'
  emitWarning(describeWithHint(error), typeof code === 'string' ? { type, code } : { type })
}

/** Emits a process warning where there is a process, else writes to the console. */
export function emitWarning(message: string, options: { readonly type?: string; readonly code?: string }): void {
  if (typeof process === 'object' && typeof process.emitWarning === 'function')
    process.emitWarning(printable(message), options)
  else if (typeof console === 'object') console.warn(printable(`${options.type ?? options.code}: ${message}`))
}

function codeOf(error: unknown): unknown {
  try {
    return (error as { code?: unknown } | undefined)?.code
  } catch {
    return undefined
  }
}

type ReportedRepair = Pick<Repair, 'rule' | 'at' | 'message'> & Partial<Pick<Repair, 'class' | 'lostFields'>>

/** The default `onRepair`: warns of repairs that drop content or unknown fields, once per rule. */
export function warnOfLoss({ repairs }: { readonly repairs: readonly ReportedRepair[] }): void {
  for (const { rule, class: kind = 'lossy', at, message, lostFields } of repairs) {
    if ((kind !== 'lossy' && !lostFields) || warnedOf.has(rule)) continue
    warnedOf.add(rule)
    warn({
      message: `a repair dropped content: ${rule}${at === '' ? '' : ` at ${at}`}, ${message}. Pass onRepair to receive every repair; further ones of this rule are not printed`,
      code: 'content-dropped',
    })
  }
}

const warnedOf = new Set<string>()

import { printable } from '../core/printable.ts'
import type { Repair } from '../core/rules/repair.ts'

/** Prints a warning: that of the process where there is one, else on the console. */
export function warn(error: unknown): void {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: unknown }
  const type = 'AntiphonWarning'
  if (typeof process === 'object' && typeof process.emitWarning === 'function')
    process.emitWarning(printable(message), typeof code === 'string' ? { type, code } : { type })
  else if (typeof console === 'object') console.warn(printable(`${type}: ${message}`))
}

type Told = Pick<Repair, 'rule' | 'at' | 'message'> & Partial<Pick<Repair, 'class'>>

/** The listener where the caller has none: a repair that drops content is a warning, once for each rule. */
export function warnOfLoss({ repairs }: { readonly repairs: readonly Told[] }): void {
  for (const { rule, class: kind = 'lossy', at, message } of repairs) {
    if (kind !== 'lossy' || warnedOf.has(rule)) continue
    warnedOf.add(rule)
    warn({
      message: `a repair dropped content: ${rule}${at === '' ? '' : ` at ${at}`}, ${message}. Pass onRepair to hear of every repair; further ones of this rule are not printed`,
      code: 'content-dropped',
    })
  }
}

const warnedOf = new Set<string>()

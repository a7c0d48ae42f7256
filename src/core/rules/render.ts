import type { Diagnostic } from './check.ts'
import type { Repair } from './repair.ts'

export interface Shown {
  /** The name of the file, or nothing for a history in memory. */
  readonly file?: string
  /** What stands at the place, in a line. */
  readonly excerpt?: string
  /** A repair is shown that was not made. */
  readonly planned?: boolean
  /** Paints a piece of the text; plain if absent. */
  readonly paint?: (piece: 'error' | 'warning' | 'mended' | 'place' | 'fix', text: string) => string
}

/** A diagnostic for people: what, where, why, the reader's own words, the fix. */
export function render(diagnostic: Diagnostic, why: string, shown: Shown = {}): string {
  const { severity, rule, message, refusal, help } = diagnostic
  const { paint = plainly } = shown
  return [
    `${paint(severity, `${severity}[${rule}]`)}: ${message}`,
    ...place(diagnostic, shown),
    `   = why: ${why}`,
    ...(refusal === undefined ? [] : [`   = rejected as: ${refusal}`]),
    `   = ${paint('fix', 'fix')}: ${help}`,
  ].join('\n')
}

/** A repair for people: what was wrong, where, and what was done or would be. */
export function renderRepair(repair: Repair, shown: Shown = {}): string {
  const { rule, message, help } = repair
  const { paint = plainly, planned } = shown
  return [
    planned
      ? `${paint('warning', `would repair[${rule}]`)}: ${message}`
      : `${paint('mended', `mended[${rule}]`)}: ${message}`,
    ...place(repair, shown),
    `   = ${paint('fix', planned ? 'would' : 'done')}: ${help}`,
  ].join('\n')
}

function place({ at }: Diagnostic, { file, excerpt, paint = plainly }: Shown): string[] {
  const words = [file, at].filter(Boolean).join('  ')
  return words === '' ? [] : [`  ${paint('place', `--> ${words}`)}${excerpt ? `   ${excerpt}` : ''}`]
}

const plainly = (_piece: string, text: string): string => text

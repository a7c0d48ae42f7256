import type { Diagnostic } from './check.ts'
import type { Repair } from './repair.ts'

export interface RenderOptions {
  /** The file name; absent for a history in memory. */
  readonly file?: string
  /** The content at the place, in one line. */
  readonly excerpt?: string
  /** The repair is only planned. */
  readonly planned?: boolean
  /** Colours a piece of the text; plain if absent. */
  readonly paint?: (piece: 'error' | 'warning' | 'repaired' | 'place' | 'fix', text: string) => string
}

/** A diagnostic as text: what, where, why, the provider's error message, the fix. */
export function renderDiagnostic(diagnostic: Diagnostic, why: string, shown: RenderOptions = {}): string {
  const { severity, rule, message, refusal, help } = diagnostic
  const { paint = unpainted } = shown
  return [
    `${paint(severity, `${severity}[${rule}]`)}: ${message}`,
    ...place(diagnostic, shown),
    `   = why: ${why}`,
    ...(refusal === undefined ? [] : [`   = rejected as: ${refusal}`]),
    `   = ${paint('fix', 'fix')}: ${help}`,
  ].join('\n')
}

/** A repair as text: what was wrong, where, and what was done or would be done. */
export function renderRepair(repair: Repair, shown: RenderOptions = {}): string {
  const { rule, message, help } = repair
  const { paint = unpainted, planned } = shown
  return [
    planned
      ? `${paint('warning', `would repair[${rule}]`)}: ${message}`
      : `${paint('repaired', `repaired[${rule}]`)}: ${message}`,
    ...place(repair, shown),
    `   = ${paint('fix', planned ? 'would' : 'repair')}: ${help}`,
  ].join('\n')
}

function place({ at }: Diagnostic, { file, excerpt, paint = unpainted }: RenderOptions): string[] {
  const location = [file, at].filter(Boolean).join('  ')
  return location === '' ? [] : [`  ${paint('place', `--> ${location}`)}${excerpt ? `   ${excerpt}` : ''}`]
}

const unpainted = (_piece: string, text: string): string => text

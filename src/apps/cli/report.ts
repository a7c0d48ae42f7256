import type { Diagnostic } from '../../core/rules/check.ts'
import { pages } from '../../core/rules/pages.ts'
import { renderDiagnostic, renderRepair } from '../../core/rules/render.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { Input } from '../../doctor/files/input.ts'
import { escapeDiagnostic, plural } from './counts.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'

/** What a report needs to describe the place of a diagnostic. */
export interface ReportContext {
  readonly input: Input
  readonly excerpt: ((at: string) => string | undefined) | undefined
  readonly paint: Paint
  /** The repairs were not made. */
  readonly planned?: boolean
  /** Print all diagnostics, without a limit. */
  readonly all: boolean
}

/** Diagnostics as text, with a blank line after each. The last block says how many were not printed. */
export const renderDiagnostics = (diagnostics: readonly Diagnostic[], context: ReportContext): string[] =>
  renderAll(diagnostics, context, 'diagnostic', (diagnostic, shown) =>
    renderDiagnostic(diagnostic, why(diagnostic.rule), shown),
  )

/** Repairs as text, in the same way. */
export const renderRepairs = (repairs: readonly Repair[], context: ReportContext): string[] =>
  renderAll(repairs, context, 'repair', renderRepair)

type Shown = NonNullable<Parameters<typeof renderDiagnostic>[2]>

function renderAll<T extends Diagnostic>(
  found: readonly T[],
  { input, excerpt, paint, planned = false, all }: ReportContext,
  word: string,
  draw: (found: T, shown: Shown) => string,
): string[] {
  const printed = all ? found : found.slice(0, printedMax)
  const blocks = printed.map(one => {
    const line = excerpt?.(one.at)
    const shown = { file: placeIn(input, one.at), ...(line === undefined ? {} : { excerpt: line }), paint, planned }
    return `${draw(escapeDiagnostic(one), shown)}\n`
  })
  const more = found.length - printed.length
  return more === 0 ? blocks : [...blocks, `... and ${plural(more, `more ${word}`)}; --all prints them\n`]
}

const printedMax = 50

const why = (id: string): string => pages[id]?.why ?? ''

/** The file, and in JSONL the line of the message. */
function placeIn({ name, lines }: Input, at: string): string {
  const line = lines?.[Number(/\[(\d+)\]/.exec(at)?.[1])]
  return line === undefined ? plain(name) : `${plain(name)}:${line.number}`
}

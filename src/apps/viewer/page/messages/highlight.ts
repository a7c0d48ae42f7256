import type { Arc, DiagnosticView, MessageWindow } from '../../document-service.ts'
import { arcKey } from './lanes.ts'

/** What has the pointer or the focus. */
export type Pointed =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'arc'; readonly arc: Arc }
  | { readonly kind: 'diagnostic'; readonly diagnostic: number }

/** What is highlighted for it: related rows, arcs and diagnostics. */
export interface Highlight {
  readonly rows: ReadonlySet<number>
  readonly arcs: ReadonlySet<string>
  readonly diagnostics: ReadonlySet<number>
}

export const noHighlight: Highlight = { rows: new Set(), arcs: new Set(), diagnostics: new Set() }

export function highlightFor(
  pointed: Pointed | undefined,
  { rows, arcs }: MessageWindow,
  diagnostics: readonly DiagnosticView[],
): Highlight {
  if (!pointed) return noHighlight
  if (pointed.kind === 'diagnostic') return highlightForDiagnostic(pointed.diagnostic, arcs, diagnostics)
  const touched = pointed.kind === 'arc' ? [pointed.arc] : arcs.filter(arc => touches(arc, pointed.row))
  const ends = touched.flatMap(({ from, to }) => [from, to]).filter(row => row !== undefined)
  const about = new Set(
    rows
      .filter(({ index }) => (pointed.kind === 'row' ? index === pointed.row : ends.includes(index)))
      .flatMap(row => row.diagnostics)
      .filter(diagnostic => pointed.kind === 'row' || concerns(diagnostics[diagnostic], pointed.arc)),
  )
  // A message without arcs and diagnostics is not highlighted.
  if (touched.length === 0 && about.size === 0) return noHighlight
  return {
    rows: new Set(pointed.kind === 'row' ? [pointed.row, ...ends] : ends),
    arcs: new Set(touched.map(arcKey)),
    diagnostics: about,
  }
}

function highlightForDiagnostic(
  index: number,
  arcs: readonly Arc[],
  diagnostics: readonly DiagnosticView[],
): Highlight {
  const diagnostic = diagnostics[index]
  if (!diagnostic) return noHighlight
  const concerned = arcs.filter(arc => diagnostic.rows.some(row => touches(arc, row)) && concerns(diagnostic, arc))
  return { rows: new Set(diagnostic.rows), arcs: new Set(concerned.map(arcKey)), diagnostics: new Set([index]) }
}

const touches = ({ from, to }: Arc, row: number): boolean => from === row || to === row

const concerns = (diagnostic: DiagnosticView | undefined, arc: Arc): boolean =>
  diagnostic !== undefined && (diagnostic.callId === undefined || diagnostic.callId === arc.id)

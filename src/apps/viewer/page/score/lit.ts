import type { Arc, Mark, SheetWindow } from '../../desk.ts'
import { arcName } from './lanes.ts'

/** What is pointed at: by the pointer or the focus. */
export type Pointed =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'arc'; readonly arc: Arc }
  | { readonly kind: 'mark'; readonly mark: number }

/** What lights up for it: its rows, arcs and diagnostics, whichever of them is pointed at. */
export interface Lit {
  readonly rows: ReadonlySet<number>
  readonly arcs: ReadonlySet<string>
  readonly marks: ReadonlySet<number>
}

export const nothingLit: Lit = { rows: new Set(), arcs: new Set(), marks: new Set() }

export function litBy(pointed: Pointed | undefined, { rows, arcs }: SheetWindow, marks: readonly Mark[]): Lit {
  if (!pointed) return nothingLit
  if (pointed.kind === 'mark') return litByMark(pointed.mark, arcs, marks)
  const touched = pointed.kind === 'arc' ? [pointed.arc] : arcs.filter(arc => touches(arc, pointed.row))
  const ends = touched.flatMap(({ from, to }) => [from, to]).filter(row => row !== undefined)
  const about = new Set(
    rows
      .filter(({ index }) => (pointed.kind === 'row' ? index === pointed.row : ends.includes(index)))
      .flatMap(row => row.marks)
      .filter(mark => pointed.kind === 'row' || concerns(marks[mark], pointed.arc)),
  )
  // A message that has to do with no other stays as calm as it is.
  if (touched.length === 0 && about.size === 0) return nothingLit
  return {
    rows: new Set(pointed.kind === 'row' ? [pointed.row, ...ends] : ends),
    arcs: new Set(touched.map(arcName)),
    marks: about,
  }
}

function litByMark(index: number, arcs: readonly Arc[], marks: readonly Mark[]): Lit {
  const mark = marks[index]
  if (!mark) return nothingLit
  const concerned = arcs.filter(arc => mark.rows.some(row => touches(arc, row)) && concerns(mark, arc))
  return { rows: new Set(mark.rows), arcs: new Set(concerned.map(arcName)), marks: new Set([index]) }
}

const touches = ({ from, to }: Arc, row: number): boolean => from === row || to === row

const concerns = (mark: Mark | undefined, arc: Arc): boolean =>
  mark !== undefined && (mark.callId === undefined || mark.callId === arc.id)

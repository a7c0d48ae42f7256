import type { DiagnosticView } from '../../document-service.ts'

/** The indexes of diagnostics by their row, from top to bottom. Diagnostics are found rule by rule. */
export const readingOrder = (diagnostics: readonly DiagnosticView[]): readonly number[] =>
  diagnostics
    .map((diagnostic, index) => ({ index, place: place(diagnostic) }))
    .sort((one, other) => one.place - other.place || one.index - other.index)
    .map(({ index }) => index)

const place = ({ rows }: DiagnosticView): number => rows[0] ?? Number.MAX_SAFE_INTEGER

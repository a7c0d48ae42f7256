import type { DiagnosticView } from '../../document-service.ts'

/** The indexes of diagnostics by their row, from top to bottom. Diagnostics are found rule by rule. */
export const readingOrder = (diagnostics: readonly DiagnosticView[]): readonly number[] =>
  [...diagnostics.keys()].sort((one, other) => place(diagnostics[one]) - place(diagnostics[other]) || one - other)

const place = ({ rows }: DiagnosticView): number => rows[0] ?? Number.MAX_SAFE_INTEGER

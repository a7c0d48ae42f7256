import type { Mark } from '../../desk.ts'

/** Diagnostics from the top of the sheet to its end: they are found rule by rule. */
export const orderOf = (marks: readonly Mark[]): readonly number[] =>
  [...marks.keys()].sort((one, other) => place(marks[one]) - place(marks[other]) || one - other)

const place = ({ rows }: Mark): number => rows[0] ?? Number.MAX_SAFE_INTEGER

import type { Repair } from '../../core/rules/repair.ts'

/**
 * Defects of the file itself, which no message list can show. Their repairs change lines and links, so they have no
 * edits.
 */
const repairOf = (defect: Omit<Repair, 'severity' | 'edits'>): Repair => ({ severity: 'error', edits: [], ...defect })

export const tornRepair = ({ line }: { readonly line: number }): Repair =>
  repairOf({
    rule: 'torn-record',
    at: `line ${line + 1}`,
    message: 'a write was cut off in the middle of a record',
    help: 'remove what is left of it (lossy)',
    class: 'lossy',
  })

export const markRepair = (): Repair =>
  repairOf({
    rule: 'byte-order-mark',
    at: 'line 1',
    message: 'the file begins with a byte order mark, so the program does not read its first record',
    help: 'remove the mark (lossless)',
    class: 'lossless',
  })

export const seamRepair = (line: number): Repair =>
  repairOf({
    rule: 'joined-records',
    at: `line ${line + 1}`,
    message: 'two records share a line, so neither is read',
    help: 'put them on lines of their own (lossless)',
    class: 'lossless',
  })

export const splitRepair = ({ line }: { readonly line: number }): Repair =>
  repairOf({
    rule: 'split-record',
    at: `line ${line + 1}`,
    message: 'raw line breaks have split a record into several lines, so the program cannot read it',
    help: 'join the lines, with the line breaks escaped (lossless)',
    class: 'lossless',
  })

export const linkRepair = (line: number): Repair =>
  repairOf({
    rule: 'broken-link',
    at: `line ${line + 1}`,
    message: 'it is linked to no earlier record, so everything before it is lost to the program',
    help: 'link it to the previous record (lossless)',
    class: 'lossless',
  })

export const openingRepair = (line: number): Repair =>
  repairOf({
    rule: 'wrong-first-role',
    at: `line ${line + 1}`,
    message: 'the assistant comes first: the message that it answered was lost',
    help: 'insert a user message that says so (synthetic)',
    class: 'synthetic',
  })

export const lostRepair = (line: number): Repair =>
  repairOf({
    rule: 'misplaced-result',
    at: `line ${line + 1}`,
    message: 'no link leads to this result, so its call has none',
    help: 'link it after its call (lossless)',
    class: 'lossless',
  })

import type { Opened } from '../../desk.ts'

/** How many rows the sheet has after the first edits. */
export const rowsAt = (opened: Opened, step: number): number =>
  step === 0 ? opened.rows : (opened.steps[Math.min(step, opened.steps.length) - 1]?.rows ?? opened.rows)

import type { Trial } from './trial.ts'

/** One promise about every history. */
export interface Law {
  /** Its number and its words in docs/spec/healing.md. */
  readonly title: string
  /** What is wrong, `what: detail`; undefined where the law holds, `idle` where it says nothing. */
  broken(trial: Trial): string | typeof idle | undefined
}

export const idle = Symbol('the law says nothing about this history')

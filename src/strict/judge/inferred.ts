import type { Objection } from './objection.ts'
import type { Wire } from './validator.ts'

/** What is only inferred counts where a bare history is judged, to be on the safe side. A server never refuses for it. */
export const inferred = ({ state }: Wire, objections: Objection[]): Objection[] => (state ? [] : objections)

import { refuse, refusePedantically } from './objection.ts'
import type { Wire } from './validator.ts'

/** What is doubtful counts where a bare history is judged, to be on the safe side. A server refuses it only if it is pedantic. */
export const cautiously = ({ state }: Wire): typeof refuse => (state ? refusePedantically : refuse)

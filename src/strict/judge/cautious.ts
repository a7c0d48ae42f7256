import { reject, rejectPedantically } from './rejection-reason.ts'
import type { RawRequest } from './validator.ts'

/**
 * Doubtful facts apply when a bare history is judged, to be on the safe side. A server enforces them only if it is pedantic.
 */
export const cautiously = ({ state }: RawRequest): typeof reject => (state ? rejectPedantically : reject)

import type { RejectionReason } from './rejection-reason.ts'
import type { RawRequest } from './validator.ts'

/** Inferred facts apply when a bare history is judged, to be on the safe side. A server never enforces them. */
export const inferred = ({ state }: RawRequest, reasons: RejectionReason[]): RejectionReason[] => (state ? [] : reasons)

import { type Envelope, leftoverSystem } from '../shared/envelope.ts'

/** The system prompt is a message. */
export const envelope: Envelope = leftoverSystem

import { type Envelope, holdsAny, unknownSettings } from '../shared/envelope.ts'

/** Both `instructions` and system items are legal. A stored response, conversation or prompt may precede the input. */
export const envelope: Envelope = {
  read: () => unknownSettings,
  write: body => body,
  continues: holdsAny(['previous_response_id', 'conversation', 'prompt']),
}

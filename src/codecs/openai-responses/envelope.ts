import { type Envelope, unknownSettings } from '../shared/envelope.ts'

/**
 * Both `instructions` and system items are legal. A stored response, conversation or prompt may precede the input, and in
 * Gemini's interactions, which use the same field name, a stored interaction.
 */
export const envelope: Envelope = {
  read: () => unknownSettings,
  write: body => body,
  continues: body => held.some(field => isThere(body[field])),
}

const held = ['previous_response_id', 'conversation', 'prompt', 'previous_interaction_id']

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

import { type Envelope, unknownSettings } from '../envelope.ts'

/** Both `instructions` and system items are legal; a response or a conversation that is stored may stand in front. */
export const envelope: Envelope = {
  read: () => unknownSettings,
  write: body => body,
  continues: ({ previous_response_id, conversation }) => isThere(previous_response_id) || isThere(conversation),
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

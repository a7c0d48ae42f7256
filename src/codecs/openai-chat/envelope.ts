import { type Envelope, textsOf, unknownSettings } from '../shared/envelope.ts'

/** The system prompt is a message; a `system` field is left over from another format. */
export const envelope: Envelope = {
  read: body => ({ ...unknownSettings, system: textsOf(body.system) }),
  write(body, before, after) {
    if (after.system.length === before.system.length) return body
    const { system: _, ...rest } = body
    return rest
  },
}

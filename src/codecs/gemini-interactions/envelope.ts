import { type Envelope, holdsAny, textsOf, unknownSettings } from '../shared/envelope.ts'

/** The system prompt is a text in a separate field. A stored interaction, or an unfinished one, may precede the input. */
export const envelope: Envelope = {
  read: () => unknownSettings,
  write(body, before, after) {
    if (after.system === before.system) return body
    const words = [body.system_instruction, ...after.system.flat()].flatMap(word => textsOf(textual(word)))
    return { ...body, system_instruction: words.join('\n\n') }
  },
  continues: holdsAny(['previous_interaction_id', 'continuation_token', 'cached_content']),
}

/** A text as it is, and a block as a list of blocks. */
const textual = (word: unknown): unknown => (typeof word === 'string' ? word : [word])

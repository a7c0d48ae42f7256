import type { Report } from '../../core/report.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { repair } from '../../heal/heal.ts'
import type { HealOptions } from '../../heal/options.ts'
import { joinLateResults } from './join-late-results.ts'
import { fromParts, type PartsMessage, sourceOf, toParts } from './stored-message.ts'

/**
 * Repairs in stored messages what Mastra would drop from the prompt: a call whose result is in a later message gets that result, and a
 * call without a result gets a placeholder. All other defects are repaired in the prompt.
 */
export function healStored<Message>(
  messages: readonly Message[],
  choices: HealOptions,
  isStored: (message: Message) => boolean,
): Report & { readonly messages: readonly Message[] } {
  const converted = messages.map(toParts)
  const isAllowed = choices.allow?.includes('lossless') ?? true
  // A result of this run must still be stored. Mastra does not store a message again, so it is not moved into a stored one.
  const stays = (message: PartsMessage) => isStored(sourceOf(message) as Message)
  const mayMove = (from: PartsMessage, to: PartsMessage) => isAllowed && (stays(from) || !stays(to))
  const { messages: whole, repairs: joins } = joinLateResults(converted, mayMove)
  const healed = repair(whole, { ...choices, for: 'lenient', format: 'ai-sdk-ui' })
  const repairs: readonly Repair[] = [...joins, ...healed.repairs.map(inPlace)]
  const changed = repairs.length > 0
  const repaired = changed ? healed.messages.map(message => fromParts<Message>(message)) : messages
  return { changed, repairs, remaining: healed.remaining.map(inPlace), messages: repaired }
}

/** The same, with the path in Mastra's own messages. */
const inPlace = <Found extends { readonly at: string }>(found: Found): Found => ({
  ...found,
  at: found.at.replace('.parts[', '.content.parts['),
})

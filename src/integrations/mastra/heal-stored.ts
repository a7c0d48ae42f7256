import type { Report } from '../../core/report.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { repair } from '../../heal/heal.ts'
import type { HealOptions } from '../../heal/options.ts'
import { joinHalves } from './join-halves.ts'
import { fromParts, type PartsMessage, sourceOf, toParts } from './stored-message.ts'

/**
 * Heals messages as Mastra stores them, as far as it would lose something on the way to the model: a call whose result
 * stands in a later message gets it, and one that has none a placeholder. All else is left to the prompt.
 */
export function healStored<Message>(
  messages: readonly Message[],
  choices: HealOptions,
  isStored: (message: Message) => boolean,
): Report & { readonly messages: readonly Message[] } {
  const wire = messages.map(toParts)
  const isAllowed = choices.allow?.includes('lossless') ?? true
  // A result that came with this very run is still to be stored: in a message that is stored already it would not be.
  const stays = (message: PartsMessage) => isStored(sourceOf(message) as Message)
  const mayMove = (from: PartsMessage, to: PartsMessage) => isAllowed && (stays(from) || !stays(to))
  const { messages: whole, repairs: joins } = joinHalves(wire, mayMove)
  const healed = repair(whole, { ...choices, for: 'lenient', format: 'ai-sdk-ui' })
  const repairs: readonly Repair[] = [...joins, ...healed.repairs.map(inPlace)]
  const changed = repairs.length > 0
  const mended = changed ? healed.messages.map(message => fromParts<Message>(message)) : messages
  return { changed, repairs, remaining: healed.remaining.map(inPlace), messages: mended }
}

/** The same with the place as Mastra's own messages have it. */
const inPlace = <Found extends { readonly at: string }>(found: Found): Found => ({
  ...found,
  at: found.at.replace('.parts[', '.content.parts['),
})

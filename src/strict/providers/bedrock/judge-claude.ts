import { isObject, type JsonObject, objectOf, objects } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'
import { prefill } from '../anthropic/judge-prefill.ts'
import { type ThinkingSetting, thinking, thinkingSetting, unsignedThinking } from '../anthropic/judge-thinking.ts'

/** What the model itself refuses comes wrapped. */
export const wrapped = (words: string): string => `The model returned the following errors: ${words}`

/** What Claude refuses behind Converse. */
export function claudeForms(wire: Wire): Objection[] {
  const { messages, model } = wire
  const seen = messages.map(asClaude)
  const thoughts = [...unsignedThinking(seen), ...thinking(seen, settingOf(wire), wire)]
  return [
    ...messages.flatMap((message, index) =>
      objects(message.content).flatMap((block, k) => blanks(block, `messages[${index}].content[${k}]`)),
    ),
    ...thoughts.map(({ message, at }) => refuse('br-think', wrapped(message), at)),
    ...prefill(seen, model).map(({ message, at }) => refuse('br-end-user', wrapped(message), at)),
  ]
}

function settingOf({ body, model }: Wire): ThinkingSetting {
  if (!body) return 'free'
  const fields = objectOf(body.additionalModelRequestFields)
  return thinkingSetting(fields.thinking ?? fields.reasoning_config, isModel(models.thinksOnDemand, model))
}

/** Blank texts, and empty ones in results: an empty one beside them does not get this far. These words come bare. */
const blanks = ({ text, toolResult }: JsonObject, at: string): Objection[] =>
  isObject(toolResult)
    ? objects(toolResult.content).flatMap(({ text }) => blank(text, at))
    : text === ''
      ? []
      : blank(text, at)

function blank(text: unknown, at: string): Objection[] {
  if (typeof text !== 'string' || text.trim() !== '') return []
  const words = text === '' ? 'must be non-empty' : 'must contain non-whitespace text'
  return [refuse('br-ws-text', `messages: text content blocks ${words}`, at)]
}

/** The message as Claude gets it. A cache point becomes a mark on the block before it. */
const asClaude = ({ role, content }: JsonObject): JsonObject => ({
  role,
  content: (Array.isArray(content) ? content : [])
    .map(objectOf)
    .filter(({ cachePoint }) => cachePoint === undefined)
    .map(asBlock),
})

function asBlock({ text, toolUse, toolResult, reasoningContent }: JsonObject): JsonObject {
  if (isObject(toolUse)) return { type: toolUse.type ?? 'tool_use' }
  if (isObject(toolResult)) return { type: toolResult.type ?? 'tool_result' }
  if (!isObject(reasoningContent)) return { type: typeof text === 'string' ? 'text' : 'other' }
  const { reasoningText } = reasoningContent
  if (!isObject(reasoningText)) return { type: 'redacted_thinking' }
  return { type: 'thinking', thinking: reasoningText.text, signature: reasoningText.signature }
}

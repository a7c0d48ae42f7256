import { isObject, type JsonObject, objectOf, objects } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { prefill } from '../anthropic/judge-prefill.ts'
import { missingSignatures, type ThinkingSetting, thinking, thinkingSetting } from '../anthropic/judge-thinking.ts'

/** An error of the model itself is wrapped. */
export const wrappedText = (words: string): string => `The model returned the following errors: ${words}`

/** What Claude rejects when it is used through Converse. */
export function claudeForms(raw: RawRequest): RejectionReason[] {
  const { messages, model } = raw
  const seen = messages.map(asClaude)
  const thoughts = [...missingSignatures(seen), ...thinking(seen, settingOf(raw), raw)]
  return [
    ...messages.flatMap((message, index) =>
      objects(message.content).flatMap((block, k) => blanks(block, `messages[${index}].content[${k}]`)),
    ),
    ...thoughts.map(({ message, at }) => reject('br-think', wrappedText(message), at)),
    ...prefill(seen, model).map(({ message, at }) => reject('br-end-user', wrappedText(message), at)),
  ]
}

function settingOf({ body, model }: RawRequest): ThinkingSetting {
  if (!body) return 'free'
  const fields = objectOf(body.additionalModelRequestFields)
  return thinkingSetting(fields.thinking ?? fields.reasoning_config, isModel(models.thinksOnDemand, model))
}

/**
 * Blank texts, and empty ones in results; an empty text outside of results is rejected earlier. This message is not wrapped.
 */
const blanks = ({ text, toolResult }: JsonObject, at: string): RejectionReason[] =>
  isObject(toolResult)
    ? objects(toolResult.content).flatMap(({ text }) => blank(text, at))
    : text === ''
      ? []
      : blank(text, at)

function blank(text: unknown, at: string): RejectionReason[] {
  if (typeof text !== 'string' || text.trim() !== '') return []
  const words = text === '' ? 'must be non-empty' : 'must contain non-whitespace text'
  return [reject('br-ws-text', `messages: text content blocks ${words}`, at)]
}

/** The message as Claude receives it. A cache point becomes a mark on the block before it. */
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

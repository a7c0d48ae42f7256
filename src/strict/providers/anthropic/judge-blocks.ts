import { isObject, type JsonObject, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { contentBlocks } from './history.ts'
import { missingText } from './judge-pairing.ts'

/** Arguments that are not an object. */
export const inputForms = (messages: JsonObject[]): RejectionReason[] =>
  messages.flatMap((message, index) =>
    contentBlocks(message).flatMap(({ type, input }, k) => {
      if (type !== 'tool_use' || input === undefined || isObject(input)) return []
      const at = `messages[${index}].content[${k}]`
      return [reject('an-input', `${dotted(at)}.tool_use.input: Input should be a valid dictionary`, at)]
    }),
  )

/** Errors that only Anthropic's own format can have in a message: its blocks, their side, their order. */
export const blockForms = (messages: JsonObject[]): RejectionReason[] =>
  messages.flatMap((message, index) => {
    if (message.role !== 'user' && message.role !== 'assistant') return []
    const isLast = index === messages.length - 1
    return [...emptiness(message, index, isLast), ...sides(message, index), ...order(message, index)]
  })

function emptiness(message: JsonObject, index: number, isLast: boolean): RejectionReason[] {
  const { role, content } = message
  const at = `messages[${index}]`
  if (content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0))
    return role === 'assistant' && isLast ? [] : [reject('an-empty-content', emptyText(index), at)]
  if (typeof content === 'string') return content.trim() === '' ? [reject('an-ws-text', blankText, at)] : []
  return contentBlocks(message).flatMap((block, k) => {
    if (isEmptyError(block)) return [reject('an-error-empty', emptyErrorText(index, k), `${at}.content[${k}]`)]
    const { type, text } = block
    if (type !== 'text' || typeof text !== 'string' || text.trim() !== '') return []
    const place = `${at}.content[${k}]`
    return text === ''
      ? [rejectPedantically('an-empty-text', 'messages: text content blocks must be non-empty', place)]
      : [reject('an-ws-text', blankText, place)]
  })
}

const emptyText = (index: number): string =>
  `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
const isEmptyError = ({ type, is_error, content }: JsonObject): boolean =>
  type === 'tool_result' &&
  is_error === true &&
  (content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0))
const emptyErrorText = (index: number, k: number): string =>
  `messages.${index}.content.${k}.tool_result: content cannot be empty if \`is_error\` is true`
const blankText = 'messages: text content blocks must contain non-whitespace text'

/** Calls belong to the assistant, results to the user. */
function sides(message: JsonObject, index: number): RejectionReason[] {
  const types = contentBlocks(message).map(({ type }) => type)
  const at = `messages[${index}]`
  if (message.role === 'user' && types.includes('tool_use')) {
    const text = `messages.${index}: \`tool_use\` blocks can only be in \`assistant\` messages`
    return [rejectPedantically('an-use-in-user', text, at)]
  }
  if (message.role === 'assistant' && types.includes('tool_result')) {
    const text = `messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`
    return [reject('an-result-in-assistant', text, at)]
  }
  return []
}

function order(message: JsonObject, index: number): RejectionReason[] {
  if (message.role !== 'assistant') return []
  const blocks = contentBlocks(message)
  const firstUse = blocks.findIndex(({ type }) => type === 'tool_use')
  const late = firstUse < 0 ? -1 : blocks.findIndex(({ type }, k) => k > firstUse && spoken.has(type))
  const use = blocks[firstUse]
  if (!use || late < 0) return []
  const text = missingText(index, stringOf(use.id) ?? '')
  return [rejectPedantically('an-content-after-use', text, `messages[${index}].content[${late}]`)]
}

const spoken = new Set<unknown>(['text', 'thinking', 'redacted_thinking'])

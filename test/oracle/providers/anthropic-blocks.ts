import type { JsonObject } from '../json.ts'
import { blocksOf } from '../readers/anthropic.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import { dotted } from './dotted.ts'

/** What only Anthropic's own wire can get wrong in a message: its role, its blocks, their order. */
export const blockForms = (messages: JsonObject[]): Refusal[] =>
  messages.flatMap((message, index) => {
    const isLast = index === messages.length - 1
    return [
      ...role(message, index),
      ...emptiness(message, index, isLast),
      ...sides(message, index),
      ...order(message, index, isLast),
      ...blocksOf(message).flatMap((block, k) => thinking(block, `messages[${index}].content[${k}]`)),
    ]
  })

function role({ role }: JsonObject, index: number): Refusal[] {
  if (role === 'user' || role === 'assistant') return []
  const message =
    role === 'system'
      ? "role 'system' is not supported on this model"
      : `messages: Unexpected role "${role}". The Messages API accepts a top-level \`system\` parameter, not "${role}" as an input message role.`
  return [refuse('an-system-role-old', message, `messages[${index}]`)]
}

function emptiness(message: JsonObject, index: number, isLast: boolean): Refusal[] {
  const { role, content } = message
  const at = `messages[${index}]`
  if (content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0))
    return role === 'assistant' && isLast ? [] : [refuse('an-empty-content', emptyText(index), at)]
  if (typeof content === 'string') return content.trim() === '' ? [refuse('an-ws-text', blankText, at)] : []
  return blocksOf(message).flatMap(({ type, text }, k) => {
    if (type !== 'text' || typeof text !== 'string' || text.trim() !== '') return []
    const place = `${at}.content[${k}]`
    return text === ''
      ? [refusePedantically('an-empty-text', 'messages: text content blocks must be non-empty', place)]
      : [refuse('an-ws-text', blankText, place)]
  })
}

const emptyText = (index: number): string =>
  `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
const blankText = 'messages: text content blocks must contain non-whitespace text'

/** Calls are the assistant's, results the user's. */
function sides(message: JsonObject, index: number): Refusal[] {
  const types = blocksOf(message).map(({ type }) => type)
  const at = `messages[${index}]`
  if (message.role === 'user' && types.includes('tool_use')) {
    const text = `messages.${index}: \`tool_use\` blocks can only be in \`assistant\` messages`
    return [refusePedantically('an-use-in-user', text, at)]
  }
  if (message.role === 'assistant' && types.includes('tool_result')) {
    const text = `messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`
    return [refuse('an-result-in-assistant', text, at)]
  }
  return []
}

function order(message: JsonObject, index: number, isLast: boolean): Refusal[] {
  if (message.role !== 'assistant') return []
  const found: Refusal[] = []
  const blocks = blocksOf(message)
  const firstUse = blocks.findIndex(({ type }) => type === 'tool_use')
  const late = firstUse < 0 ? -1 : blocks.findIndex(({ type }, k) => k > firstUse && spoken.has(String(type)))
  if (late >= 0) {
    const text = `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${blocks[firstUse].id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    found.push(refusePedantically('an-content-after-use', text, `messages[${index}].content[${late}]`))
  }
  if (isLast && blocks.at(-1)?.type === 'thinking') {
    const text = `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
    found.push(refuse('an-think-last', text, `messages[${index}].content[${blocks.length - 1}]`))
  }
  return found
}

const spoken = new Set(['text', 'thinking', 'redacted_thinking'])

function thinking({ type, signature }: JsonObject, at: string): Refusal[] {
  if (type !== 'thinking') return []
  if (signature === '')
    return [refuse('an-think-signature', `${dotted(at)}: Invalid \`signature\` in \`thinking\` block`, at)]
  if (typeof signature === 'string') return []
  return [refuse('an-think-sig-missing', `${dotted(at)}.thinking.signature: Field required`, at)]
}

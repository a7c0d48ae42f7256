import { isObject, type JsonObject, objects } from '../json.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import { dotted } from './dotted.ts'

/** What the model itself refuses comes wrapped. */
export const wrapped = (words: string): string => `The model returned the following errors: ${words}`

/** What only Converse's own wire can get wrong in a message: its role, its blocks and what is in them. */
export const converseForms = (messages: JsonObject[]): Refusal[] =>
  messages.flatMap((message, index) => [
    ...role(message, index),
    ...emptiness(message, index),
    ...objects(message.content).flatMap((block, k) => blockForms(block, `messages[${index}].content[${k}]`)),
    ...(index === messages.length - 1 ? ending(message, index) : []),
  ])

function role({ role }: JsonObject, index: number): Refusal[] {
  if (role === 'user' || role === 'assistant') return []
  const message = `1 validation error detected: Value '${role}' at 'messages.${index + 1}.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]`
  return [refuse('br-role', message, `messages[${index}]`)]
}

/** Whether cache points alone are enough is not known. */
function emptiness({ content }: JsonObject, index: number): Refusal[] {
  const message = `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`
  const at = `messages[${index}]`
  if (!Array.isArray(content) || content.length === 0) return [refuse('br-empty-content', message, at)]
  const hasMore = content.some(block => !isObject(block) || block.cachePoint === undefined)
  return hasMore ? [] : [refusePedantically('br-empty-content', message, at)]
}

function blockForms({ text, toolUse, toolResult, reasoningContent }: JsonObject, at: string): Refusal[] {
  if (isObject(toolUse)) return toolUse.type === undefined ? callForms(toolUse, at) : []
  if (isObject(toolResult)) return toolResult.type === undefined ? resultForms(toolResult, at) : []
  if (isObject(reasoningContent)) return thinking(reasoningContent, at)
  if (text === '') {
    const message = `The text field in the ContentBlock object at ${dotted(at)} is blank. Add text to the text field, and try again.`
    return [refuse('br-blank-text', message, at)]
  }
  return blank(text, at)
}

function blank(text: unknown, at: string): Refusal[] {
  if (typeof text !== 'string' || text.trim() !== '') return []
  const words = text === '' ? 'must be non-empty' : 'must contain non-whitespace text'
  return [refuse('br-ws-text', `messages: text content blocks ${words}`, at)]
}

function callForms({ name, input }: JsonObject, at: string): Refusal[] {
  const found: Refusal[] = []
  const path = `${at.replace(/\d+/g, n => String(Number(n) + 1)).replace(/\[(\d+)\]/g, '.$1.member')}.toolUse.name`
  const pattern = `1 validation error detected: Value at '${path}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`
  if (typeof name !== 'string' || !nameForm.test(name)) found.push(refuse('br-name', pattern, at))
  if (!isObject(input)) found.push(refuse('br-json', jsonText(`${dotted(at)}.toolUse.input`), at))
  return found
}

function resultForms({ content, status }: JsonObject, at: string): Refusal[] {
  const path = `${dotted(at)}.toolResult`
  if (status === 'error' && (!Array.isArray(content) || content.length === 0)) {
    const message = `The content field at ${path} cannot be empty when status value is error.`
    return [refuse('br-error-empty', message, at)]
  }
  if (!Array.isArray(content)) return [refuse('br-json', jsonText(`${path}.content`), at)]
  return objects(content).flatMap((block, k) => {
    if ('json' in block && !isObject(block.json)) return [refuse('br-json', jsonText(`${path}.content.${k}.json`), at)]
    return blank(block.text, at)
  })
}

const jsonText = (path: string): string =>
  `The format of the value at ${path} is invalid. Provide a json object for the field and try again.`

function thinking({ reasoningText }: JsonObject, at: string): Refusal[] {
  if (!isObject(reasoningText)) return []
  const { signature } = reasoningText
  if (typeof signature === 'string' && signature !== '') return []
  return [refuse('br-think', wrapped(`${dotted(at)}.thinking.signature: Field required`), at)]
}

function ending({ role, content }: JsonObject, index: number): Refusal[] {
  const last = objects(content)
    .filter(({ cachePoint }) => cachePoint === undefined)
    .at(-1)
  if (role !== 'assistant' || !isObject(last?.reasoningContent)) return []
  const message = wrapped(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`)
  return [refuse('br-think', message, `messages[${index}]`)]
}

const nameForm = /^[a-zA-Z0-9_-]{1,64}$/

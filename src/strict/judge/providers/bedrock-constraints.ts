import { isObject, type JsonObject, objects } from '../../json.ts'
import { isModel, models } from '../models.ts'
import { type Objection, refuse } from '../objection.ts'

/** What the schema of the API refuses before anybody reads the conversation. It tells all of it at once. */
export function constraints(messages: JsonObject[], model: string | undefined): Objection[] {
  const found = messages.flatMap((message, index) => [
    ...role(message, index, model),
    ...objects(message.content).flatMap((block, k) => names(block, `messages[${index}].content[${k}]`)),
  ])
  const count = `${found.length} validation error${found.length === 1 ? '' : 's'} detected`
  const message = `${count}: ${found.map(({ text }) => text).join('; ')}`
  return found.map(({ fact, at }) => refuse(fact, message, at))
}

interface Violation {
  fact: string
  text: string
  at: string
}

/** Some models take system messages among the others. */
function role({ role }: JsonObject, index: number, model: string | undefined): Violation[] {
  if (role === 'user' || role === 'assistant') return []
  const at = `messages[${index}]`
  const isClaude = isModel(models.claude, model)
  if (role === 'system' && isClaude && !isModel(models.withoutSystemRole, model)) return []
  const value = typeof role === 'string' ? `'${role}'` : 'null'
  const constraint = typeof role === 'string' ? 'Member must satisfy enum value set: [user, assistant]' : nullText
  return [{ fact: 'br-role', text: `Value ${value} at '${member(at)}.role' ${failed}: ${constraint}`, at }]
}

function names({ toolUse, toolResult }: JsonObject, at: string): Violation[] {
  const use = isObject(toolUse) && toolUse.type === undefined ? toolUse : undefined
  const result = isObject(toolResult) && toolResult.type === undefined ? toolResult : undefined
  return [
    ...(use ? named(use.name, `${member(at)}.toolUse.name`, 'br-name', at) : []),
    ...(use ? named(use.toolUseId, `${member(at)}.toolUse.toolUseId`, 'br-id-form', at) : []),
    ...(result ? named(result.toolUseId, `${member(at)}.toolResult.toolUseId`, 'br-id-form', at) : []),
  ]
}

function named(value: unknown, path: string, fact: string, at: string): Violation[] {
  if (typeof value !== 'string') return [{ fact, text: `Value null at '${path}' ${failed}: ${nullText}`, at }]
  const broken = [
    ...(value.length > 64 ? ['Member must have length less than or equal to 64'] : []),
    ...(value === '' ? ['Member must have length greater than or equal to 1'] : []),
    ...(/^[a-zA-Z0-9_-]+$/.test(value) ? [] : ['Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+']),
  ]
  return broken.map(constraint => ({ fact, text: `Value at '${path}' ${failed}: ${constraint}`, at }))
}

const failed = 'failed to satisfy constraint'
const nullText = 'Member must not be null'

/** A place as the schema counts it: `messages.2.member.content.1.member`. */
const member = (at: string): string => at.replace(/\[(\d+)\]/g, (_, n) => `.${Number(n) + 1}.member`)

import { isObject, type JsonObject, objects } from '../../json.ts'
import { codePoints } from '../../judge/code-points.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'

/** What the schema of the API rejects before the history is checked. It reports all errors at once. */
export function constraints({ messages, model, state }: RawRequest): RejectionReason[] {
  const ids = state ? newIds : oldIds
  const found = messages.flatMap((message, index) => [
    ...role(message, index, model),
    ...objects(message.content).flatMap((block, k) => blockNames(block, ids, `messages[${index}].content[${k}]`)),
  ])
  const count = `${found.length} validation error${found.length === 1 ? '' : 's'} detected`
  const message = `${count}: ${found.map(({ text }) => text).join('; ')}`
  return found.map(({ fact, at }) => reject(fact, message, at))
}

interface Violation {
  fact: string
  text: string
  at: string
}

/** Some models accept system messages among the others. */
function role({ role }: JsonObject, index: number, model: string | undefined): Violation[] {
  if (role === 'user' || role === 'assistant') return []
  const at = `messages[${index}]`
  const isClaude = isModel(models.claude, model)
  if (role === 'system' && isClaude && !isModel(models.withoutSystemRole, model)) return []
  const value = typeof role === 'string' ? `'${role}'` : 'null'
  const constraint = typeof role === 'string' ? 'Member must satisfy enum value set: [user, assistant]' : nullText
  return [{ fact: 'br-role', text: `Value ${value} at '${member(at)}.role' ${failed}: ${constraint}`, at }]
}

function blockNames({ toolUse, toolResult }: JsonObject, ids: Form, at: string): Violation[] {
  const use = isObject(toolUse) && toolUse.type === undefined ? toolUse : undefined
  const result = isObject(toolResult) && toolResult.type === undefined ? toolResult : undefined
  return [
    ...(use ? worded(use.name, `${member(at)}.toolUse.name`, names, at) : []),
    ...(use ? worded(use.toolUseId, `${member(at)}.toolUse.toolUseId`, ids, at) : []),
    ...(result ? worded(result.toolUseId, `${member(at)}.toolResult.toolUseId`, ids, at) : []),
  ]
}

interface Form {
  fact: string
  pattern: string
}

const names: Form = { fact: 'br-name', pattern: '[a-zA-Z0-9_-]+' }

/** The newer documentation also allows dots and colons. A bare history is judged by the older one, to be on the safe side. */
const newIds: Form = { fact: 'br-id-form', pattern: '[a-zA-Z0-9_.:-]+' }
const oldIds: Form = { ...names, fact: 'br-id-form' }

function worded(value: unknown, path: string, { fact, pattern }: Form, at: string): Violation[] {
  if (typeof value !== 'string') return [{ fact, text: `Value null at '${path}' ${failed}: ${nullText}`, at }]
  const broken = [
    ...(codePoints(value) > 64 ? ['Member must have length less than or equal to 64'] : []),
    ...(value === '' ? ['Member must have length greater than or equal to 1'] : []),
    ...(new RegExp(`^${pattern}$`).test(value) ? [] : [`Member must satisfy regular expression pattern: ${pattern}`]),
  ]
  return broken.map(constraint => ({ fact, text: `Value at '${path}' ${failed}: ${constraint}`, at }))
}

const failed = 'failed to satisfy constraint'
const nullText = 'Member must not be null'

/** A path as the schema counts it: `messages.2.member.content.1.member`. */
const member = (at: string): string => at.replace(/\[(\d+)\]/g, (_, n) => `.${Number(n) + 1}.member`)

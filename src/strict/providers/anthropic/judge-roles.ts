import { isObject, type JsonObject } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'

/** Which roles are allowed. Newer models accept system messages too, but not in every position. */
export const roles = (messages: JsonObject[], model: string | undefined): RejectionReason[] =>
  messages.flatMap((message, index) => {
    const { role } = message
    const at = `messages[${index}]`
    if (role === 'user' || role === 'assistant') return []
    if (role !== 'system') return [reject('an-role', roleText(role, index), at)]
    if (model === undefined || isModel(models.withoutSystemRole, model))
      return [reject('an-system-role-old', "role 'system' is not supported on this model", at)]
    if (isDirective(message)) return []
    if (index === 0) return [reject('an-system-first', firstText, at)]
    const isFollowedByUser = messages[index + 1]?.role === 'user'
    return isFollowedByUser ? [reject('an-system-place', `messages.${index}: ${placeText}`, at)] : []
  })

function roleText(role: unknown, index: number): string {
  if (typeof role !== 'string') return `messages.${index}.role: Field required`
  const text = `messages: Unexpected role "${role}". Allowed roles are "user" or "assistant".`
  return role === 'tool' ? `${text} ${toolsText}` : text
}

const toolsText =
  'For instructions on how to use tools, see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.'
const directiveText = 'the directive-only form (content: [] with output_config) is accepted at any position'
const firstText = `messages.0: use the top-level 'system' parameter for the initial system prompt; ${directiveText}`
const placeText = `role 'system' must precede an 'assistant' message or end the array; ${directiveText}`

/** A message without content that only changes a setting. The vendor's client allows it to omit the content. */
const isDirective = ({ content, output_config }: JsonObject): boolean =>
  (content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)) &&
  isObject(output_config) &&
  Object.keys(output_config).length > 0

import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import { openSteps } from '../../judge/open-steps.ts'
import type { Wire } from '../../judge/validator.ts'
import type { State } from '../../server/state.ts'
import { blocksOf } from './history.ts'

/** Switched on by the client, switched off, or left to the model. */
export type ThinkingSetting = 'on' | 'off' | 'free'

/** What the setting of a request says. One that says nothing is off where the model thinks only if it is told to. */
export function thinkingSetting(setting: unknown, isOnDemand: boolean): ThinkingSetting {
  if (setting === undefined || setting === null) return isOnDemand ? 'off' : 'free'
  const type = isObject(setting) ? setting.type : undefined
  return type === 'enabled' ? 'on' : type === 'disabled' ? 'off' : 'free'
}

/** Thinking without the field for its signature. */
export const unsignedThinking = (messages: JsonObject[]): Objection[] =>
  thoughts(messages, ({ signature }, at) =>
    typeof signature === 'string'
      ? []
      : [refuse('an-think-sig-missing', `${dotted(at)}.thinking.signature: Field required`, at)],
  )

/** What Claude insists on in thinking, whoever hosts it. */
export const thinking = (
  messages: JsonObject[],
  setting: ThinkingSetting,
  { state, issuer }: Pick<Wire, 'state' | 'issuer'>,
): Objection[] => [
  ...unverified(messages, state, issuer),
  ...ending(messages),
  ...(setting === 'on' ? missing(messages) : []),
  ...(setting === 'off' ? stray(messages) : []),
  ...(state ? modified(messages, state) : []),
]

/** Thinking that the signature was not made for. In the turn under way other words than those signed are told apart. */
function unverified(messages: JsonObject[], state: State | undefined, issuer: string | undefined): Objection[] {
  const open = new Set(openSteps(messages))
  return thoughts(messages, ({ signature, thinking }, at, index) => {
    if (typeof signature !== 'string') return []
    const signed = state?.signed(signature)
    const isOther = signed !== undefined && signed !== thinking && !open.has(index)
    if (!isOther && !isForged(signature, state, issuer)) return []
    return [refuse('an-think-signature', `${dotted(at)}: Invalid \`signature\` in \`thinking\` block`, at)]
  })
}

/** A text that cannot be a signature is recognised by its characters, also without a server. */
function isForged(signature: string, state: State | undefined, issuer: string | undefined): boolean {
  if (signature === '' || !state) return signature === ''
  return !base64.test(signature) || !state.verifies(signature, issuer)
}

const base64 = /^[a-zA-Z0-9+/]+={0,2}$/

/** What only the provider can read, and no strict server writes: redacted thinking, and what its search has found. */
export const unreadable = (messages: JsonObject[], state: State | undefined): Objection[] =>
  state?.verify !== true
    ? []
    : messages.flatMap((message, index) =>
        blocksOf(message).flatMap((block, k) => {
          const at = `messages[${index}].content[${k}]`
          if (block.type === 'redacted_thinking')
            return [refuse('an-think-data', `${dotted(at)}: Invalid \`data\` in \`redacted_thinking\` block`, at)]
          const isSearch = objects(block.content).some(({ encrypted_content }) => typeof encrypted_content === 'string')
          const message = `${dotted(at)}: Invalid \`encrypted_content\` in \`search_result\` block`
          return isSearch ? [refuse('an-search-encrypted', message, at)] : []
        }),
      )

/** A last message may not stop thinking in the middle. */
function ending(messages: JsonObject[]): Objection[] {
  const index = messages.length - 1
  const last = messages[index]
  if (last?.role !== 'assistant') return []
  const blocks = Array.isArray(last.content) ? last.content : []
  const final = blocks.at(-1)
  if (!isObject(final) || final.type !== 'thinking') return []
  const text = `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
  return [refuse('an-think-last', text, `messages[${index}].content[${blocks.length - 1}]`)]
}

/** Models that think once a turn begin only its first step with thinking: then the others may go without. */
function missing(messages: JsonObject[]): Objection[] {
  const steps = openSteps(messages)
  const last = steps.at(-1)
  if (last === undefined || steps.some(index => thoughtTypes.has(firstType(messages[index])))) return []
  const found = firstType(messages[last])
  if (found === '') return []
  const message = `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. ${missingText}`
  return [refuse('an-think-first', message, `messages[${last}].content[0]`)]
}

const missingText =
  'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'

const thoughtTypes = new Set(['thinking', 'redacted_thinking'])

function firstType(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content === '' ? '' : 'text'
  return stringOf(blocksOf(message)[0]?.type) ?? ''
}

function stray(messages: JsonObject[]): Objection[] {
  const last = openSteps(messages).at(-1)
  if (last === undefined) return []
  const k = blocksOf(messages[last]).findIndex(({ type }) => type === 'thinking')
  const message = `messages.${last}.content.${k}: ${strayText}`
  return k < 0 ? [] : [refuse('an-think-disabled', message, `messages[${last}].content[${k}]`)]
}

const strayText =
  'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'

/** Thinking of the open steps that is not what was signed. */
function modified(messages: JsonObject[], state: State): Objection[] {
  const open = new Set(openSteps(messages))
  return thoughts(messages, ({ thinking, signature }, at, index) => {
    const signed = state.signed(stringOf(signature) ?? '')
    if (!open.has(index) || signed === undefined || thinking === signed) return []
    return [refuse('an-think-modified', `${dotted(at)}: ${modifiedText}`, at)]
  })
}

const modifiedText =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'

const thoughts = (
  messages: JsonObject[],
  judge: (block: JsonObject, at: string, index: number) => Objection[],
): Objection[] =>
  messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, k) =>
      block.type === 'thinking' ? judge(block, `messages[${index}].content[${k}]`, index) : [],
    ),
  )

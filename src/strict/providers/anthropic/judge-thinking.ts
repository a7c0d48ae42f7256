import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { openStepIndexes } from '../../judge/open-steps.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import type { ServerState } from '../../server/state.ts'
import { contentBlocks } from './history.ts'

/** Enabled by the client, disabled, or left to the model. */
export type ThinkingSetting = 'on' | 'off' | 'free'

/** The thinking setting of a request. Without a setting it is off if the model thinks only when the request enables it. */
export function thinkingSetting(setting: unknown, isOnDemand: boolean): ThinkingSetting {
  if (setting === undefined || setting === null) return isOnDemand ? 'off' : 'free'
  const type = isObject(setting) ? setting.type : undefined
  return type === 'enabled' ? 'on' : type === 'disabled' ? 'off' : 'free'
}

/** Thinking without a signature field. */
export const missingSignatures = (messages: JsonObject[]): RejectionReason[] =>
  thoughts(messages, ({ signature }, at) =>
    typeof signature === 'string'
      ? []
      : [reject('an-think-sig-missing', `${dotted(at)}.thinking.signature: Field required`, at)],
  )

/** What Claude requires of thinking, on any host. */
export const thinking = (
  messages: JsonObject[],
  setting: ThinkingSetting,
  { state, issuer }: Pick<RawRequest, 'state' | 'issuer'>,
): RejectionReason[] => [
  ...unverified(messages, state, issuer),
  ...ending(messages),
  ...(setting === 'on' ? missing(messages) : []),
  ...(setting === 'off' ? stray(messages) : []),
  ...(state ? modified(messages, state) : []),
]

/** Thinking that does not match its signature. In the open turn changed text is reported separately. */
function unverified(
  messages: JsonObject[],
  state: ServerState | undefined,
  issuer: string | undefined,
): RejectionReason[] {
  const open = new Set(openStepIndexes(messages))
  return thoughts(messages, ({ signature, thinking }, at, index) => {
    if (typeof signature !== 'string') return []
    const signed = state?.signed(signature)
    const isOther = signed !== undefined && signed !== thinking && !open.has(index)
    if (!isOther && !isForged(signature, state, issuer)) return []
    return [reject('an-think-signature', `${dotted(at)}: Invalid \`signature\` in \`thinking\` block`, at)]
  })
}

/** A text that cannot be a signature is recognised by its characters, also without a server. */
function isForged(signature: string, state: ServerState | undefined, issuer: string | undefined): boolean {
  if (signature === '' || !state) return signature === ''
  return !base64.test(signature) || !state.verifies(signature, issuer)
}

const base64 = /^[a-zA-Z0-9+/]+={0,2}$/

/**
 * Content that only the provider can decrypt and that a strict server never writes: redacted thinking, and search results.
 */
export const unreadableThinking = (messages: JsonObject[], state: ServerState | undefined): RejectionReason[] =>
  state?.verify !== true
    ? []
    : messages.flatMap((message, index) =>
        contentBlocks(message).flatMap((block, k) => {
          const at = `messages[${index}].content[${k}]`
          if (block.type === 'redacted_thinking')
            return [reject('an-think-data', `${dotted(at)}: Invalid \`data\` in \`redacted_thinking\` block`, at)]
          const isSearch = objects(block.content).some(({ encrypted_content }) => typeof encrypted_content === 'string')
          const message = `${dotted(at)}: Invalid \`encrypted_content\` in \`search_result\` block`
          return isSearch ? [reject('an-search-encrypted', message, at)] : []
        }),
      )

/** A last message must not end with thinking. */
function ending(messages: JsonObject[]): RejectionReason[] {
  const index = messages.length - 1
  const last = messages[index]
  if (last?.role !== 'assistant') return []
  const blocks = Array.isArray(last.content) ? last.content : []
  const final = blocks.at(-1)
  if (!isObject(final) || final.type !== 'thinking') return []
  const text = `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
  return [reject('an-think-last', text, `messages[${index}].content[${blocks.length - 1}]`)]
}

/** Models that think once a turn begin only its first step with thinking; the other steps may omit it. */
function missing(messages: JsonObject[]): RejectionReason[] {
  const steps = openStepIndexes(messages)
  const last = steps.at(-1)
  if (last === undefined || steps.some(index => thoughtTypes.has(firstType(messages[index])))) return []
  const found = firstType(messages[last])
  if (found === '') return []
  const message = `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. ${missingText}`
  return [reject('an-think-first', message, `messages[${last}].content[0]`)]
}

const missingText =
  'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking'

const thoughtTypes = new Set(['thinking', 'redacted_thinking'])

function firstType(message: JsonObject = {}): string {
  if (typeof message.content === 'string') return message.content === '' ? '' : 'text'
  return stringOf(contentBlocks(message)[0]?.type) ?? ''
}

function stray(messages: JsonObject[]): RejectionReason[] {
  const last = openStepIndexes(messages).at(-1)
  if (last === undefined) return []
  const k = contentBlocks(messages[last] ?? {}).findIndex(({ type }) => type === 'thinking')
  const message = `messages.${last}.content.${k}: ${strayText}`
  return k < 0 ? [] : [reject('an-think-disabled', message, `messages[${last}].content[${k}]`)]
}

const strayText =
  'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'

/** Thinking of the open steps that differs from what was signed. */
function modified(messages: JsonObject[], state: ServerState): RejectionReason[] {
  const open = new Set(openStepIndexes(messages))
  return thoughts(messages, ({ thinking, signature }, at, index) => {
    const signed = state.signed(stringOf(signature) ?? '')
    if (!open.has(index) || signed === undefined || thinking === signed) return []
    return [reject('an-think-modified', `${dotted(at)}: ${modifiedText}`, at)]
  })
}

const modifiedText =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'

const thoughts = (
  messages: JsonObject[],
  judge: (block: JsonObject, at: string, index: number) => RejectionReason[],
): RejectionReason[] =>
  messages.flatMap((message, index) =>
    contentBlocks(message).flatMap((block, k) =>
      block.type === 'thinking' ? judge(block, `messages[${index}].content[${k}]`, index) : [],
    ),
  )

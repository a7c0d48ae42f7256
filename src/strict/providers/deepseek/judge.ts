import { isReference } from '../../answers/reference.ts'
import { stringOf } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { runs, strays, unanswered, unknown } from '../../judge/runs.ts'
import { deepseekThinks } from '../../judge/thinking.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { contentBlocks } from '../anthropic/history.ts'
import { separatedResults } from '../anthropic/judge-split.ts'
import { placeOf, startOf } from '../openai-responses/judge-input.ts'
import { type PairedItem, pairedItems } from '../openai-responses/judge-paired-items.ts'

/** DeepSeek. It has an endpoint for each of three formats. */
export const validateDeepseek: Validator = (chat, raw) => {
  if (raw.format === 'openai-responses') return [...adjacency(raw), ...responsesOrphans(chat, raw)]
  if (raw.format === 'anthropic')
    return [
      ...chat.flatMap(systemRole),
      ...missingBlocks(raw),
      ...separatedResults(raw.messages),
      ...inferred(raw, strays(chat).map(orphan)),
    ]
  const thinks = raw.format === 'openai-chat' && deepseekThinks(raw.body, raw.model)
  return [
    ...missing(chat),
    ...strays(chat).map(orphan),
    ...(thinks ? chat.flatMap(reasoning) : []),
    ...(isReasoner.test(raw.model ?? '') ? chat.flatMap(successive) : []),
  ]
}

/** The first reasoner, which other hosts still serve under this name. */
const isReasoner = /deepseek-r1/i

const missing = (chat: HistoryEntry[]): RejectionReason[] =>
  runs(chat).flatMap(run =>
    run.opener && unanswered(run).length > 0 ? [reject('ds-missing', missingText, run.opener.at)] : [],
  )

const missingText =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"

const orphan = ({ at }: HistoryEntry): RejectionReason =>
  reject('ds-orphan', "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'", at)

function reasoning({ calls, raw, at }: HistoryEntry): RejectionReason[] {
  if (calls.length === 0 || typeof raw.reasoning_content === 'string') return []
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  return [reject('ds-reasoning-back', message, at)]
}

function successive({ role, index, at }: HistoryEntry, place: number, chat: HistoryEntry[]): RejectionReason[] {
  if (chat[place - 1]?.role !== role || (role !== 'user' && role !== 'assistant')) return []
  const message = `deepseek-reasoner does not support successive user or assistant messages (messages[${index - 1}] and messages[${index}] in your input). You should interleave the user/assistant messages in the message sequence.`
  return [reject('ds-successive', message, at)]
}

function systemRole({ role, index, at }: HistoryEntry): RejectionReason[] {
  if (role !== 'system') return []
  const message = `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`system\`, expected \`user\` or \`assistant\``
  return [reject('ds-anthropic-system', message, at)]
}

/** On its Anthropic endpoint: calls without a result in the user messages directly after them. */
function missingBlocks({ messages }: RawRequest): RejectionReason[] {
  const found: RejectionReason[] = []
  let open = new Set<string>()
  let opener = 0
  const close = () => {
    if (open.size === 0) return
    const message = `messages.${opener}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    found.push(reject('ds-anthropic-missing', message, `messages[${opener}]`))
  }
  for (const [index, message] of messages.entries()) {
    const blocks = contentBlocks(message)
    if (message.role === 'user') for (const block of blocks) open.delete(stringOf(block.tool_use_id) ?? '')
    else {
      close()
      opener = index
      open = new Set(blocks.flatMap(({ type, id }) => (type === 'tool_use' ? (stringOf(id) ?? []) : [])))
    }
  }
  close()
  return found
}

/** On its Responses endpoint only other calls and outputs may be between a call and its output. */
function adjacency(raw: RawRequest): RejectionReason[] {
  const found: RejectionReason[] = []
  const start = startOf(raw)
  let open: PairedItem[] = []
  const close = () => {
    for (const { id, at } of open)
      found.push(reject('ds-responses-adjacent', `No tool output found for tool call ${id}`, at))
    open = []
  }
  for (const [index, item] of raw.messages.entries()) {
    const half = pairedItems([item])[0]
    if (!half) close()
    else if (half.id === undefined) continue
    else if (half.side === 'call') open.push({ ...half, at: placeOf(index, start) })
    else {
      const answered = open.findIndex(call => call.id === half.id)
      if (answered >= 0) open.splice(answered, 1)
    }
  }
  close()
  return found
}

/** Outputs whose call is missing, or only in a response or a reference that DeepSeek is said not to store. */
function responsesOrphans(chat: HistoryEntry[], raw: RawRequest): RejectionReason[] {
  const start = startOf(raw)
  // The message for an output without an id was not seen.
  const strangers = (entries: HistoryEntry[]) => unknown(entries).filter(({ answers }) => answers !== undefined)
  const orphans = raw.messages.some(isReference) ? [] : strangers(chat)
  const forgotten = strangers(chat.filter(({ index }) => index >= start)).filter(entry => !orphans.includes(entry))
  const text = ({ answers }: HistoryEntry) => `No tool call found for tool output with call_id ${answers}.`
  return [
    ...orphans.map(entry => reject('ds-responses-orphan', text(entry), placeOf(entry.index, start))),
    ...forgotten.map(entry => rejectPedantically('ds-responses-stateless', text(entry), placeOf(entry.index, start))),
  ]
}

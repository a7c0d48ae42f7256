import { isReference } from '../../answers/reference.ts'
import { stringOf } from '../../json.ts'
import type { Entry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { runs, strays, unanswered, unknown } from '../../judge/runs.ts'
import { deepseekThinks } from '../../judge/thinking.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { blocksOf } from '../anthropic/history.ts'
import { splitResults } from '../anthropic/judge-split.ts'
import { type Half, halvesOfItems } from '../openai-responses/judge-halves.ts'
import { placeOf, startOf } from '../openai-responses/judge-input.ts'

/** DeepSeek. It has an endpoint for each of the three wires. */
export const deepseek: Validator = (chat, wire) => {
  if (wire.format === 'openai-responses') return [...adjacency(wire), ...responsesOrphans(chat, wire)]
  if (wire.format === 'anthropic')
    return [
      ...chat.flatMap(systemRole),
      ...missingBlocks(wire),
      ...splitResults(wire.messages),
      ...inferred(wire, strays(chat).map(orphan)),
    ]
  const thinks = wire.format === 'openai-chat' && deepseekThinks(wire.body, wire.model)
  return [
    ...missing(chat),
    ...strays(chat).map(orphan),
    ...(thinks ? chat.flatMap(reasoning) : []),
    ...(isReasoner.test(wire.model ?? '') ? chat.flatMap(successive) : []),
  ]
}

/** The first reasoner, which other hosts still serve under this name. */
const isReasoner = /deepseek-r1/i

const missing = (chat: Entry[]): Objection[] =>
  runs(chat).flatMap(run =>
    run.opener && unanswered(run).length > 0 ? [refuse('ds-missing', missingText, run.opener.at)] : [],
  )

const missingText =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"

const orphan = ({ at }: Entry): Objection =>
  refuse('ds-orphan', "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'", at)

function reasoning({ calls, wire, at }: Entry): Objection[] {
  if (calls.length === 0 || typeof wire.reasoning_content === 'string') return []
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  return [refuse('ds-reasoning-back', message, at)]
}

function successive({ role, index, at }: Entry, place: number, chat: Entry[]): Objection[] {
  if (chat[place - 1]?.role !== role || (role !== 'user' && role !== 'assistant')) return []
  const message = `deepseek-reasoner does not support successive user or assistant messages (messages[${index - 1}] and messages[${index}] in your input). You should interleave the user/assistant messages in the message sequence.`
  return [refuse('ds-successive', message, at)]
}

function systemRole({ role, index, at }: Entry): Objection[] {
  if (role !== 'system') return []
  const message = `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`system\`, expected \`user\` or \`assistant\``
  return [refuse('ds-anthropic-system', message, at)]
}

/** On its Anthropic endpoint: calls that no result in the user messages right behind them answers. */
function missingBlocks({ messages }: Wire): Objection[] {
  const found: Objection[] = []
  let open = new Set<string>()
  let opener = 0
  const close = () => {
    if (open.size === 0) return
    const message = `messages.${opener}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    found.push(refuse('ds-anthropic-missing', message, `messages[${opener}]`))
  }
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message)
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

/** On its Responses endpoint nothing but other calls and outputs may stand between a call and its output. */
function adjacency(wire: Wire): Objection[] {
  const found: Objection[] = []
  const start = startOf(wire)
  let open: Half[] = []
  const close = () => {
    for (const { id, at } of open)
      found.push(refuse('ds-responses-adjacent', `No tool output found for tool call ${id}`, at))
    open = []
  }
  for (const [index, item] of wire.messages.entries()) {
    const half = halvesOfItems([item])[0]
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

/** Outputs whose call is nowhere, or only in a response or a reference that DeepSeek is said not to have stored. */
function responsesOrphans(chat: Entry[], wire: Wire): Objection[] {
  const start = startOf(wire)
  // What is said of an output without an id was not seen.
  const strangers = (entries: Entry[]) => unknown(entries).filter(({ answers }) => answers !== undefined)
  const orphans = wire.messages.some(isReference) ? [] : strangers(chat)
  const forgotten = strangers(chat.filter(({ index }) => index >= start)).filter(entry => !orphans.includes(entry))
  const text = ({ answers }: Entry) => `No tool call found for tool output with call_id ${answers}.`
  return [
    ...orphans.map(entry => refuse('ds-responses-orphan', text(entry), placeOf(entry.index, start))),
    ...forgotten.map(entry => refusePedantically('ds-responses-stateless', text(entry), placeOf(entry.index, start))),
  ]
}

import type { Entry } from '../entry.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { runs, strays, unanswered, unknown } from '../runs.ts'
import type { Validator, Wire } from '../validator.ts'
import { splitResults } from './anthropic-split.ts'
import { type Half, halvesOfItems } from './responses-halves.ts'

/** DeepSeek, thinking on. It has an endpoint for each of the three wires. */
export const deepseek: Validator = (chat, wire) => {
  if (wire.format === 'openai-responses') return [...adjacency(wire), ...unknown(chat).map(orphan)]
  return [
    ...missing(chat),
    ...strays(chat).map(orphan),
    ...(wire.format === 'openai-chat' ? chat.flatMap(reasoning) : []),
    ...(wire.format === 'anthropic' ? [...chat.flatMap(systemRole), ...splitResults(wire.messages)] : []),
  ]
}

const missing = (chat: Entry[]): Refusal[] =>
  runs(chat).flatMap(run =>
    run.opener && unanswered(run).length > 0 ? [refuse('ds-missing', missingText, run.opener.at)] : [],
  )

const missingText =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"

const orphan = ({ at }: Entry): Refusal =>
  refuse('ds-orphan', "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'", at)

function reasoning({ calls, wire, at }: Entry): Refusal[] {
  if (calls.length === 0 || typeof wire.reasoning_content === 'string') return []
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  return [refuse('ds-reasoning-back', message, at)]
}

function systemRole({ role, index, at }: Entry): Refusal[] {
  if (role !== 'system') return []
  const message = `Failed to deserialize the JSON body into the target type: messages[${index}].role: unknown variant \`system\`, expected \`user\` or \`assistant\``
  return [refuse('ds-anthropic-system', message, at)]
}

/** On its Responses endpoint nothing but other calls and outputs may stand between a call and its output. */
function adjacency({ messages }: Wire): Refusal[] {
  const found: Refusal[] = []
  let open: Half[] = []
  const close = () => {
    for (const { id, at } of open)
      found.push(refuse('ds-responses-adjacent', `No tool output found for tool call ${id ?? ''}`, at))
    open = []
  }
  for (const [index, item] of messages.entries()) {
    const half = halvesOfItems([item])[0]
    if (!half) close()
    else if (half.side === 'call') open.push({ ...half, at: `input[${index}]` })
    else {
      const answered = open.findIndex(call => call.id === half.id)
      if (answered >= 0) open.splice(answered, 1)
    }
  }
  close()
  return found
}

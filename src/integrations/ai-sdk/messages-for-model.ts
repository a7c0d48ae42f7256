import { isOutput } from '../../codecs/ai-sdk/input-output.ts'
import { type Fields, isRecord } from '../../core/conversation.ts'
import type { ChatTools } from './chat-tools.ts'
import { fileOfPart } from './lost-files.ts'

/**
 * The messages for the model: outputs as `toModelOutput` converts them, user messages without parts that are for the client
 * only, and a text instead of each file that cannot be fetched or used.
 */
export async function messagesForModel<Messages extends readonly unknown[]>(
  messages: Messages,
  tools: ChatTools,
  onError: (error: unknown) => void,
  lost: ReadonlySet<string> = new Set(),
): Promise<Messages> {
  const inputs = new Map<unknown, unknown>()
  const told = messages.map(async (message): Promise<unknown> => {
    if (!isRecord(message) || !Array.isArray(message.content)) return message
    const { role, content } = message
    for (const part of content) if (isRecord(part) && part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
    if (role === 'user') return withoutLost(withoutAsides(message, content), lost)
    if (role !== 'tool') return message
    return { ...message, content: await Promise.all(content.map(part => withOutput(part, tools, inputs, onError))) }
  })
  return (await Promise.all(told)) as readonly unknown[] as Messages
}

/** Data parts arrive here as placeholder text; if there is nothing else, it shows that something was there. */
function withoutAsides(message: Fields, content: readonly unknown[]): Fields {
  const remaining = content.filter(part => !isRecord(part) || part.text !== aside)
  return remaining.length === 0 || remaining.length === content.length ? message : { ...message, content: remaining }
}

function withoutLost(message: Fields, lost: ReadonlySet<string>): Fields {
  if (lost.size === 0 || !Array.isArray(message.content)) return message
  const content = message.content.map(part => {
    const file = fileOfPart(part)
    if (file === undefined || !lost.has(file.key)) return part
    const name = typeof part.filename === 'string' && part.filename !== '' ? `${part.filename} ` : ''
    const isRemote = /^(?!data:)[a-z][a-z\d+.-]*:\/\//i.test(file.url)
    const text = isRemote
      ? `[file ${name}at ${file.url} could not be fetched]`
      : `[file ${name}of type ${file.type || 'unknown'} could not be used]`
    return { type: 'text', text }
  })
  return { ...message, content }
}

const aside = '[content left out: it has no place here]'

/**
 * Errors and placeholders stay unchanged, and so does an output whose `toModelOutput` throws: it is in the history for good,
 * and would fail every later turn.
 */
async function withOutput(
  part: unknown,
  tools: ChatTools,
  inputs: ReadonlyMap<unknown, unknown>,
  onError: (error: unknown) => void,
): Promise<unknown> {
  if (!isRecord(part) || part.type !== 'tool-result' || !isRecord(part.output)) return part
  const { toolCallId, toolName, output } = part
  const tool = Object.hasOwn(tools, String(toolName)) ? tools[String(toolName)] : undefined
  if (!tool?.toModelOutput || (output.type !== 'text' && output.type !== 'json')) return part
  const asked = { toolCallId, input: inputs.get(toolCallId), output: output.value }
  try {
    const told = await tool.toModelOutput(asked as never)
    if (isOutput(told)) return { ...part, output: told }
    throw new TypeError(`toModelOutput of ${toolName} returned an invalid output`)
  } catch (error) {
    onError(error)
    return part
  }
}

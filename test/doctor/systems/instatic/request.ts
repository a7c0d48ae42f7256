import { type Block, type Message, type Row, readRow } from './rows.ts'

/**
 * How Instatic builds a request from its rows: the three mappers of its drivers, and its loader in three ages. It is
 * written from reading the program, and shares nothing with the doctor.
 */
export type Mapper = 'anthropic' | 'openai-responses' | 'openai-chat'

/**
 * - `first`: rows go out as they are; success is a result without words.
 * - `answering`: from 2026-06-05, a call that is open when the user speaks is answered.
 * - `skipping`: from 2026-07-02, a result whose call is not open is left out as well.
 */
export type Age = 'first' | 'answering' | 'skipping'

export const mappers: readonly Mapper[] = ['anthropic', 'openai-responses', 'openai-chat']
export const ages: readonly Age[] = ['first', 'answering', 'skipping']

/** The request of the next turn: the rows of one chat by position, and the user's next message. */
export function requestOf(rows: readonly Row[], mapper: Mapper, age: Age, words = 'Go on.'): Record<string, unknown> {
  const stored = [...rows].sort((a, b) => a.position - b.position).map(readRow)
  const asked: Message = { role: 'user', blocks: [{ kind: 'text', text: words }], callId: null }
  const turns = history([...stored, asked], age)
  const names = [...new Set([...stored.flatMap(({ blocks }) => blocks.flatMap(nameOf)), 'read_document'])]
  switch (mapper) {
    case 'anthropic':
      return {
        model: 'claude-sonnet-4-5',
        max_tokens: 8192,
        system: 'You edit a web site.',
        messages: anthropicMessages(turns),
        stream: true,
        tools: names.map(name => ({ name, description: '', input_schema: { type: 'object' } })),
      }
    case 'openai-responses':
      return {
        model: 'gpt-5',
        instructions: 'You edit a web site.',
        input: turns.flatMap(responsesItems),
        stream: true,
        tools: names.map(name => ({ type: 'function', name, description: '', parameters: { type: 'object' } })),
      }
    case 'openai-chat':
      return {
        model: 'gpt-5',
        messages: [{ role: 'system', content: 'You edit a web site.' }, ...turns.map(chatMessage)],
        stream: true,
        stream_options: { include_usage: true },
        tools: names.map(name => ({
          type: 'function',
          function: { name, description: '', parameters: { type: 'object' } },
        })),
      }
  }
}

type Turn =
  | { role: 'user' | 'assistant'; blocks: readonly Block[] }
  | { role: 'tool'; callId: string; ok: boolean; error?: string | undefined }

const interrupted = 'Tool call did not complete — the previous turn was interrupted before a result was produced.'

function history(messages: readonly Message[], age: Age): Turn[] {
  const turns: Turn[] = []
  const open = new Set<string>()
  const answerOpen = () => {
    if (age !== 'first') for (const callId of open) turns.push({ role: 'tool', callId, ok: false, error: interrupted })
    open.clear()
  }
  for (const { role, blocks, callId } of messages) {
    if (role === 'user') {
      answerOpen()
      turns.push({ role, blocks })
    } else if (role === 'assistant') {
      turns.push({ role, blocks })
      for (const block of blocks) if (block.kind === 'toolCall') open.add(block.toolCallId)
    } else if (role === 'tool' && callId) {
      if (age === 'skipping' && !open.has(callId)) continue
      open.delete(callId)
      turns.push({ role, callId, ...(age === 'first' ? byWords(blocks) : byOutcome(blocks)) })
    }
  }
  answerOpen()
  return turns
}

type Outcome = { ok: boolean; error?: string | undefined }

function byWords(blocks: readonly Block[]): Outcome {
  const words = blocks.find(({ kind }) => kind === 'text')
  const text = words?.kind === 'text' ? words.text : ''
  return { ok: text === '', error: text || undefined }
}

function byOutcome(blocks: readonly Block[]): Outcome {
  const outcome = blocks.find(({ kind }) => kind === 'toolResult')
  if (outcome?.kind !== 'toolResult') return { ok: false, error: interrupted }
  return { ok: outcome.ok, error: outcome.ok ? undefined : outcome.error }
}

const resultText = ({ ok, error }: Outcome): string => (ok ? '{"ok":true}' : (error ?? 'Tool call failed.'))

const nameOf = (block: Block): string[] => (block.kind === 'toolCall' ? [block.toolName] : [])

interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: unknown[]
}

/** Runs of assistant rows are one turn, runs of results are one, and user turns that meet are joined. */
function anthropicMessages(turns: readonly Turn[]): AnthropicMessage[] {
  const messages: AnthropicMessage[] = []
  let before: Turn['role'] | undefined
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const last = messages.at(-1)
    const joins = role === 'user' ? last?.role === 'user' : before === 'assistant'
    if (last && joins) last.content.push(...anthropicContent(turn))
    else messages.push({ role, content: anthropicContent(turn) })
    before = turn.role
  }
  return messages
}

function anthropicContent(turn: Turn): unknown[] {
  if (turn.role === 'tool') {
    const failed = turn.ok ? {} : { is_error: true }
    return [{ type: 'tool_result', tool_use_id: turn.callId, content: resultText(turn), ...failed }]
  }
  const content: unknown[] = []
  for (const block of turn.blocks) {
    if (block.kind === 'text' && (turn.role === 'user' || block.text !== ''))
      content.push({ type: 'text', text: block.text })
    else if (block.kind === 'image' && turn.role === 'user')
      content.push({ type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } })
    else if (block.kind === 'toolCall' && turn.role === 'assistant')
      content.push({ type: 'tool_use', id: block.toolCallId, name: block.toolName, input: block.input ?? {} })
  }
  return content
}

function responsesItems(turn: Turn): unknown[] {
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.callId, output: resultText(turn) }]
  if (turn.role === 'user') {
    const content = turn.blocks.flatMap((block): unknown[] => {
      if (block.kind === 'text') return [{ type: 'input_text', text: block.text }]
      return block.kind === 'image' ? [{ type: 'input_image', image_url: dataUrl(block) }] : []
    })
    return [{ type: 'message', role: 'user', content }]
  }
  const texts = turn.blocks.flatMap(block =>
    block.kind === 'text' && block.text ? [{ type: 'output_text', text: block.text }] : [],
  )
  const calls = turn.blocks.flatMap(block =>
    block.kind === 'toolCall'
      ? [{ type: 'function_call', call_id: block.toolCallId, name: block.toolName, arguments: argumentsOf(block) }]
      : [],
  )
  return [...(texts.length > 0 ? [{ type: 'message', role: 'assistant', content: texts }] : []), ...calls]
}

/** A message a row: nothing is joined. */
function chatMessage(turn: Turn): unknown {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.callId, content: resultText(turn) }
  if (turn.role === 'user') {
    if (!turn.blocks.some(({ kind }) => kind === 'image')) {
      const texts = turn.blocks.map(block => (block.kind === 'text' ? block.text : ''))
      return { role: 'user', content: texts.filter(text => text !== '').join(' ') }
    }
    const content = turn.blocks.flatMap((block): unknown[] => {
      if (block.kind === 'text') return [{ type: 'text', text: block.text }]
      return block.kind === 'image' ? [{ type: 'image_url', image_url: { url: dataUrl(block) } }] : []
    })
    return { role: 'user', content }
  }
  const content = turn.blocks.map(block => (block.kind === 'text' ? block.text : '')).join('')
  const calls = turn.blocks.flatMap(block =>
    block.kind === 'toolCall'
      ? [{ id: block.toolCallId, type: 'function', function: { name: block.toolName, arguments: argumentsOf(block) } }]
      : [],
  )
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

const argumentsOf = ({ input }: { input: unknown }): string => JSON.stringify(input ?? {})

const dataUrl = ({ mimeType, data }: { mimeType: string; data: string }): string => `data:${mimeType};base64,${data}`

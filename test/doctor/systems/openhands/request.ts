import { type Age, type Event, type Files, isAction, isResult, viewOf } from './view.ts'

/**
 * How OpenHands builds a request from its events: messages first, then the format of Chat Completions or Responses, or
 * what LiteLLM makes of the former for Anthropic. Written from reading both programs.
 */
export type Api = 'openai-chat' | 'openai-responses' | 'anthropic'

export const apis: readonly Api[] = ['openai-chat', 'openai-responses', 'anthropic']

/** The request of the next turn. A user message comes first if the agent had the last one. */
export function requestOf(files: Files, api: Api, age: Age): Record<string, unknown> {
  const messages = messagesOf(viewOf(files, age))
  const last = messages.at(-1)
  if (!last || last.role === 'system' || (last.role === 'assistant' && !last.calls))
    messages.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] })
  const names = [...new Set([...messages.flatMap(({ calls = [] }) => calls.map(({ name }) => name)), 'terminal'])]
  switch (api) {
    case 'openai-chat':
      return {
        model: 'gpt-5',
        messages: messages.map(chatMessage),
        tools: names.map(name => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
      }
    case 'openai-responses':
      return {
        model: 'gpt-5',
        instructions: messages
          .filter(({ role }) => role === 'system')
          .map(wordsOf)
          .join('\n'),
        input: messages.flatMap(responsesItems),
        store: false,
        tools: names.map(name => ({ type: 'function', name, parameters: { type: 'object' } })),
      }
    case 'anthropic':
      return {
        model: 'claude-sonnet-4-5',
        max_tokens: 4096,
        system: messages.filter(({ role }) => role === 'system').flatMap(({ content }) => content),
        messages: anthropicMessages(messages),
        ...(messages.some(({ thinking = [] }) => thinking.length > 0) ? { thinking: { type: 'adaptive' } } : {}),
        tools: names.map(name => ({ name, input_schema: { type: 'object' } })),
      }
  }
}

type Content = { type: 'text'; text: string } | { type: 'image'; image_urls: string[] }

interface ToolCall {
  readonly id: string
  readonly responses_item_id?: string
  readonly name: string
  readonly arguments: string
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: readonly Content[]
  readonly calls?: readonly ToolCall[]
  readonly answers?: string
  readonly name?: string
  readonly thinking?: readonly object[]
  readonly reasoning?: {
    readonly id?: string
    readonly summary?: readonly string[]
    readonly encrypted_content?: string
  }
}

/** Neighbouring actions of one response are one message; neighbouring words of the user are one as well. */
export function messagesOf(view: readonly Event[]): Message[] {
  const messages: Message[] = []
  for (let place = 0; place < view.length; ) {
    const event = view[place] as Event
    const batch = [event]
    if (isAction(event)) {
      while (isBatchMate(event, view[place + batch.length])) batch.push(view[place + batch.length] as Event)
    }
    place += batch.length
    const message = isAction(event) ? stepOf(batch) : messageOf(event)
    const before = messages.at(-1)
    if (before?.role === 'user' && message.role === 'user')
      messages[messages.length - 1] = { ...before, content: [...before.content, ...message.content] }
    else messages.push(message)
  }
  return messages
}

const isBatchMate = (first: Event, next: Event | undefined): boolean =>
  next !== undefined && isAction(next) && next.llm_response_id === first.llm_response_id

function stepOf(batch: readonly Event[]): Message {
  const [first, ...rest] = batch as [Event, ...Event[]]
  if (rest.some(({ thought }) => (thought as unknown[]).length > 0))
    throw new Error('a thought behind the first action')
  return {
    role: 'assistant',
    content: first.thought as Content[],
    calls: batch.map(({ tool_call }) => tool_call as ToolCall),
    thinking: (first.thinking_blocks ?? []) as object[],
    ...(first.responses_reasoning_item ? { reasoning: first.responses_reasoning_item } : {}),
  }
}

function messageOf(event: Event): Message {
  if (isResult(event)) {
    const answers = event.tool_call_id as string
    return { role: 'tool', content: resultContent(event), answers, name: event.tool_name as string }
  }
  switch (event.kind) {
    case 'SystemPromptEvent': {
      const { system_prompt: prompt, dynamic_context: context } = event
      return { role: 'system', content: [prompt, context].filter(part => part !== undefined) as Content[] }
    }
    case 'CondensationSummaryEvent':
      return { role: 'user', content: [{ type: 'text', text: event.summary as string }] }
    default: {
      const { role, content, thinking_blocks: thinking } = event.llm_message as Record<string, unknown>
      const all = [...(content as Content[]), ...((event.extended_content ?? []) as Content[])]
      return { role: role as Message['role'], content: all, thinking: (thinking ?? []) as object[] }
    }
  }
}

function resultContent(event: Event): Content[] {
  if (event.kind === 'AgentErrorEvent') return [{ type: 'text', text: event.error as string }]
  if (event.kind === 'UserRejectObservation')
    return [{ type: 'text', text: `Action rejected: ${event.rejection_reason ?? 'User rejected the action'}` }]
  const { content, is_error: isError } = event.observation as { content: Content[]; is_error?: boolean }
  const header: Content[] = isError ? [{ type: 'text', text: '[An error occurred during execution.]\n' }] : []
  return [...header, ...content, ...((event.extended_content ?? []) as Content[])]
}

const wordsOf = ({ content }: Message): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join('\n')

function chatMessage({ role, content, calls, answers, name }: Message): object {
  const parts = content.flatMap((part): { type: string; text?: string }[] =>
    part.type === 'text'
      ? [{ type: 'text', text: part.text }]
      : part.image_urls.map(url => ({ type: 'image_url', image_url: { url } })),
  )
  if (role === 'tool') return { role, content: parts, tool_call_id: answers, name }
  if (!calls) return { role, content: role === 'assistant' && parts.length === 0 ? '' : parts }
  const spoken = parts.filter(({ text }) => text === undefined || text.trim() !== '')
  return {
    role,
    ...(spoken.length > 0 ? { content: spoken } : {}),
    tool_calls: calls.map(call => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  }
}

function responsesItems({ role, content, calls = [], answers, reasoning }: Message): object[] {
  const image = (url: string): object => ({ type: 'input_image', image_url: url, detail: 'auto' })
  if (role === 'system') return []
  if (role === 'user') {
    const parts = content.flatMap(part =>
      part.type === 'text' ? [{ type: 'input_text', text: part.text }] : part.image_urls.map(image),
    )
    return [{ type: 'message', role, content: parts }]
  }
  if (role === 'tool') {
    const outputs = content.flatMap((part): unknown[] =>
      part.type === 'text' ? [part.text] : part.image_urls.map(url => [image(url)]),
    )
    return outputs.map(output => ({ type: 'function_call_output', call_id: answers, output }))
  }
  const texts = content.flatMap(part =>
    part.type === 'text' && part.text ? [{ type: 'output_text', text: part.text }] : [],
  )
  const { id, summary = [], ...rest } = reasoning ?? {}
  return [
    ...(id ? [{ type: 'reasoning', id, summary: summary.map(text => ({ type: 'summary_text', text })), ...rest }] : []),
    ...(texts.length > 0 ? [{ type: 'message', role, content: texts }] : []),
    ...calls.map(call => ({
      type: 'function_call',
      id: call.responses_item_id ?? (call.id.startsWith('fc') ? call.id : `fc_${call.id}`),
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ]
}

/** LiteLLM joins all neighbours of one side; words of the agent lose the space at their end. */
function anthropicMessages(messages: readonly Message[]): object[] {
  const turns: { role: 'user' | 'assistant'; content: object[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = anthropicBlocks(message)
    const before = turns.at(-1)
    if (before?.role === role) before.content.push(...content)
    else turns.push({ role, content })
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [{ type: 'text', text: 'Please continue.' }] })
  return turns
}

function anthropicBlocks({ role, content, calls = [], answers, thinking = [] }: Message): object[] {
  const parts = content.flatMap((part): object[] =>
    part.type === 'image' ? part.image_urls.map(anthropicImage) : part.text ? [{ type: 'text', text: part.text }] : [],
  )
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: answers, content: parts }]
  return [
    ...thinking,
    ...parts,
    ...calls.map(call => ({ type: 'tool_use', id: call.id, name: call.name, input: JSON.parse(call.arguments) })),
  ]
}

function anthropicImage(url: string): object {
  const data = /^data:([^;]+);base64,(.*)$/.exec(url)
  if (!data) return { type: 'image', source: { type: 'url', url } }
  return { type: 'image', source: { type: 'base64', media_type: data[1], data: data[2] } }
}

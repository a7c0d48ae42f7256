/** A message of the framework itself, which both of its stores become before a provider is asked. */
export interface FrameworkMessage {
  role: string
  contents: Content[]
  id?: unknown
  author?: string
}

export interface Content {
  type: string
  [field: string]: unknown
}

type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request for the Chat Completions API, one or more messages for each of the framework's. */
export const chatRequest = (messages: readonly FrameworkMessage[]): Fields[] => messages.flatMap(chatMessages)

/** Every content is a separate message, but calls join the previous message if that has calls. */
function chatMessages({ role, contents, author }: FrameworkMessage): Fields[] {
  if (role === 'system' || role === 'developer') {
    const text = contents.filter(({ type, text }) => type === 'text' && text).map(({ text }) => text)
    return text.length > 0 ? [{ role, content: text.join('\n') }] : []
  }
  const made: Fields[] = []
  const name = author !== undefined && role !== 'tool' ? { name: author.replaceAll(/[\s<|\\/>]/g, '_') } : {}
  for (const content of contents) {
    switch (content.type) {
      case 'function_approval_request':
      case 'function_approval_response':
        break
      case 'function_call': {
        const last = made.at(-1)
        if (Array.isArray(last?.tool_calls)) last.tool_calls.push(chatCall(content))
        else made.push({ role, ...name, tool_calls: [chatCall(content)] })
        break
      }
      case 'function_result':
        made.push({ role, tool_call_id: content.call_id, content: resultText(content) })
        break
      case 'text_reasoning':
        if (typeof content.protected_data !== 'string' && typeof content.text === 'string')
          made.push({ role, ...name, content: content.text })
        break
      case 'text':
        made.push({ role, ...name, content: content.text })
        break
      case 'uri':
      case 'data':
        if (String(content.media_type).startsWith('image/'))
          made.push({ role, ...name, content: [{ type: 'image_url', image_url: { url: content.uri } }] })
    }
  }
  return made
}

const chatCall = ({ call_id, name, arguments: input }: Content): Fields => ({
  id: call_id,
  type: 'function',
  function: { name, arguments: argumentsText(input) },
})

/** A request for the Responses API. The text of a message follows its calls. */
export const responsesRequest = (messages: readonly FrameworkMessage[]): Fields[] => messages.flatMap(responseItems)

function responseItems({ role, contents }: FrameworkMessage): Fields[] {
  const items: Fields[] = []
  const said: Fields[] = []
  for (const content of contents) {
    if (content.type === 'function_call')
      items.push({
        type: 'function_call',
        call_id: content.call_id,
        name: content.name,
        arguments: argumentsText(content.arguments),
      })
    else if (content.type === 'function_result')
      items.push({ type: 'function_call_output', call_id: content.call_id, output: resultText(content) })
    else if (content.type === 'text')
      said.push({ type: role === 'assistant' ? 'output_text' : 'input_text', text: content.text })
    else if (content.type === 'uri' && String(content.media_type).startsWith('image/'))
      said.push({ type: 'input_image', image_url: content.uri })
  }
  return said.length > 0 ? [...items, { role, content: said }] : items
}

const argumentsText = (input: unknown): unknown => (isFields(input) ? JSON.stringify(input) : input)

function resultText({ result, items }: Content): string {
  if (Array.isArray(items) && items.length > 0)
    return items.flatMap(item => (isFields(item) && item.type === 'text' ? [String(item.text ?? '')] : [])).join('\n')
  if (typeof result === 'string') return result
  return result === undefined || result === null ? '' : JSON.stringify(result)
}

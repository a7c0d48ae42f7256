/** Short words for messages in the shape of OpenAI chat. */
export const s = (content: unknown = 'be kind') => ({ role: 'system', content })
export const u = (content: unknown = 'hello') => ({ role: 'user', content })
export const a = (content: unknown = 'hi there') => ({ role: 'assistant', content })
export const t = (id?: string, content: unknown = 'sunny') => ({ role: 'tool', tool_call_id: id, content })

export const call = (id: string, name = 'weather', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

/** An assistant message with calls of these ids. */
export const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(id => call(id)) })

/** The same with its reasoning. */
export const thought = (...ids: string[]) => ({ ...calls(...ids), reasoning_content: 'let me look' })

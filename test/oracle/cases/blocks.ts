/** Short words for messages and blocks in Anthropic's shape. */
export const user = (...content: unknown[]) => ({ role: 'user', content })
export const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

export const text = (text = 'hello') => ({ type: 'text', text })
export const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
export const result = (id: string, content: unknown = 'sunny') => ({ type: 'tool_result', tool_use_id: id, content })
export const thinking = (signature?: string) =>
  signature === undefined ? { type: 'thinking', thinking: 'hm' } : { type: 'thinking', thinking: 'hm', signature }
export const search = (id = 'srvtoolu_1') => ({ type: 'server_tool_use', id, name: 'web_search', input: {} })
export const found = (id = 'srvtoolu_1') => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] })

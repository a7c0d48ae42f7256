/** Short words for items in the shape of OpenAI Responses. */
export const says = (role: string, content: unknown = 'hello') => ({ role, content })
export const item = (type: string, fields: object) => ({ type, ...fields })
export const fc = (call_id: string, id?: string) => ({
  ...item('function_call', { call_id, name: 'weather', arguments: '{}' }),
  ...(id === undefined ? {} : { id }),
})
export const fco = (call_id: string, output: unknown = 'sunny') => item('function_call_output', { call_id, output })
export const rs = (id: string) => item('reasoning', { id, summary: [] })
export const msg = (id: string, content: unknown = 'hi there') => ({ ...says('assistant', content), id })

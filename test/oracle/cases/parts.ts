/** Short words for turns and parts in Gemini's shape. */
export const u = (...parts: unknown[]) => ({ role: 'user', parts })
export const m = (...parts: unknown[]) => ({ role: 'model', parts })

export const text = (text = 'hello') => ({ text })
export const fc = (name = 'weather') => ({ functionCall: { name, args: {} } })
export const fr = (name = 'weather', response: unknown = { output: 'sunny' }) => ({
  functionResponse: { name, response },
})

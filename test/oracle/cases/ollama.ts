import type { Suite } from './case.ts'

const user = (content: unknown = 'hello') => ({ role: 'user', content })
const calls = (input: unknown = {}) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ function: { name: 'weather', arguments: input } }],
})
const result = (content: unknown = 'sunny') => ({ role: 'tool', tool_name: 'weather', content })
const healthy = [user(), calls(), result()]

export const ollamaCases: Suite = {
  dialect: 'ollama',
  format: 'ollama',
  cases: [
    { fact: 'ol-arguments', refused: [user(), calls('{}'), result()], accepted: healthy },
    { fact: 'ol-content', refused: [user([{ type: 'text', text: 'hello' }])], accepted: [user()] },
    {
      fact: 'ol-content',
      name: 'of a result',
      refused: [user(), calls(), result([{ type: 'text', text: 'sunny' }])],
      accepted: healthy,
    },
    {
      fact: 'ol-base64',
      refused: [{ ...user(), images: ['data:image/png;base64,AAAA'] }],
      accepted: [{ ...user(), images: ['AAAA'] }],
    },
    { fact: 'ol-field', refused: [{ ...user(), images: 'AAAA' }], accepted: [{ ...user(), images: ['AAAA'] }] },
    { fact: 'ol-field', name: 'the name of a tool', refused: [{ ...result(), tool_name: 7 }], accepted: [result()] },
  ],
}

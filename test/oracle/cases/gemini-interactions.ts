import type { Suite } from './case.ts'

const hi = { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] }
const says = { type: 'model_output', content: [{ type: 'text', text: 'Hello' }] }
const call = (id = 'a1') => ({ type: 'function_call', id, name: 'weather', arguments: {} })
const result = (id = 'a1', result: unknown = 'sunny') => ({
  ...{ type: 'function_result', call_id: id, name: 'weather', result },
})
const step = [call(), result()]

export const geminiInteractionsCases: Suite = {
  dialect: 'gemini-interactions',
  format: 'gemini-interactions',
  cases: [
    { fact: 'ge-call-position', refused: step, accepted: [hi, says, ...step] },
    { fact: 'ge-response-position', refused: [result()], accepted: [hi, ...step] },
    {
      fact: 'ge-response-position',
      name: 'after user input',
      refused: [hi, call(), hi, result()],
      accepted: [hi, ...step, hi],
    },
    {
      fact: 'ge-count',
      refused: [hi, call(), call('b2'), result()],
      accepted: [hi, call(), call('b2'), result('b2'), result()],
    },
    { fact: 'ge-count', name: 'at the tail', refused: [hi, call()], accepted: [hi, ...step] },
    { fact: 'ge-count', name: 'a result twice', refused: [hi, ...step, result()], accepted: [hi, ...step, says, hi] },
    {
      fact: 'gi-turns',
      refused: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      accepted: [hi],
    },
    { fact: 'gi-call-id', refused: [hi, call(), { ...result(), call_id: '' }], accepted: [hi, ...step] },
    { fact: 'gi-name', refused: [hi, call(), { ...result(), name: undefined }], accepted: [hi, ...step] },
    { fact: 'gi-result', refused: [hi, call(), result('a1', 42)], accepted: [hi, call(), result('a1', { value: 42 })] },
    {
      fact: 'gi-result',
      name: 'a list of other values',
      refused: [hi, call(), result('a1', ['sunny'])],
      accepted: [hi, call(), result('a1', [{ type: 'text', text: 'sunny' }])],
    },
    { fact: 'gi-unknown-field', refused: [hi, call(), { ...result(), id: 'r1' }], accepted: [hi, ...step] },
    {
      fact: 'gi-unknown-field',
      name: 'of a call',
      refused: [hi, { ...call(), call_id: 'a1' }, result()],
      accepted: [hi, ...step],
    },
  ],
}

import type { Suite } from './case.ts'
import { a, call, calls, s, t, u } from './chat.ts'

const [A, B, X] = ['aaaaaaaaa', 'bbbbbbbbb', 'xxxxxxxxx']
const healthy = [u(), calls(A), t(A)]

export const mistralCases: Suite = {
  dialect: 'mistral',
  format: 'openai-chat',
  cases: [
    { fact: 'mi-empty', refused: [], accepted: [s()] },
    { fact: 'mi-single', refused: [a()], accepted: [u()] },
    { fact: 'mi-last', refused: [u(), a()], accepted: [u(), { ...a(), prefix: true }] },
    { fact: 'mi-order', refused: [...healthy, u()], accepted: [...healthy, a(), u()] },
    {
      fact: 'mi-order',
      name: 'a system message behind words',
      refused: [u(), a(), s()],
      accepted: [s(), s(), u(), s(), u()],
    },
    {
      fact: 'mi-count',
      refused: [u(), calls(A, B), t(A), a(), u()],
      accepted: [u(), calls(A, B), t(B), t(A), a(), u()],
    },
    { fact: 'mi-count', name: 'a user message instead', refused: [u(), calls(A), u()], accepted: healthy },
    { fact: 'mi-count', name: 'the first message is not counted', refused: [calls(A), t(A)], accepted: healthy },
    { fact: 'mi-v13-unexpected', refused: [u(), calls(A), t(X)], accepted: healthy },
    { fact: 'mi-v13-dup-result', refused: [u(), calls(A, B), t(A), t(A)], accepted: [u(), calls(A, B), t(A), t(B)] },
    { fact: 'mi-v13-dup-call', refused: [u(), calls(A, A), t(A), t(A)], accepted: [u(), calls(A, B), t(A), t(B)] },
    { fact: 'mi-id', refused: [u(), calls('call_abc'), t('call_abc')], accepted: healthy },
    { fact: 'mi-id-missing', refused: [u(), calls(A), t()], accepted: healthy },
    {
      fact: 'mi-name',
      refused: [u(), { ...calls(), tool_calls: [call(A, 'get weather')] }, t(A)],
      accepted: [u(), { ...calls(), tool_calls: [call(A, 'get_weather')] }, t(A)],
    },
    { fact: 'mi-none', refused: [u(), a(''), u()], accepted: [u(), u()] },
    { fact: 'mi-prefix', refused: [u(), { ...a(), prefix: true }, u()], accepted: [u(), a(), u()] },
    { fact: 'mi-system-null', refused: [s(null), u()], accepted: [s(), u()] },
  ],
}

import type { Suite } from './case.ts'
import { a, call, calls, s, t, u } from './chat.ts'

const long = 'c'.repeat(51)
const keyless = { role: 'assistant', tool_calls: [call('A')] }

export const openaiCases: Suite = {
  dialect: 'openai',
  format: 'openai-chat',
  cases: [
    { fact: 'oc-missing-result', refused: [u(), calls('A'), u()], accepted: [u(), calls('A'), t('A'), u()] },
    {
      fact: 'oc-user-between',
      refused: [u(), calls('A', 'B'), t('A'), u(), t('B')],
      accepted: [u(), calls('A', 'B'), t('A'), t('B'), u()],
    },
    { fact: 'oc-trailing-call', refused: [u(), calls('A')], accepted: [u(), calls('A'), t('A')] },
    { fact: 'oc-orphan', refused: [u(), t('A')], accepted: [u(), calls('A'), t('A')] },
    {
      fact: 'oc-unknown-id',
      pedantic: true,
      refused: [u(), calls('A'), t('A'), t('X')],
      accepted: [u(), calls('A'), t('A')],
    },
    {
      fact: 'oc-dup-result',
      refused: [u(), calls('A'), t('A'), t('A')],
      accepted: [u(), calls('A'), t('A'), a(), u(), calls('A'), t('A')],
    },
    { fact: 'oc-missing-tcid', refused: [u(), calls('A'), t('A'), t()], accepted: [u(), calls('A'), t('A')] },
    { fact: 'oc-empty-toolcalls', refused: [u(), { ...a(), tool_calls: [] }], accepted: [u(), a()] },
    { fact: 'oc-empty-messages', refused: [], accepted: [u()] },
    { fact: 'oc-id-too-long', refused: [u(), calls(long), t(long)], accepted: [u(), calls('A'), t('A')] },
    {
      fact: 'oc-empty-name',
      refused: [u(), { ...calls(), tool_calls: [call('A', '')] }, t('A')],
      accepted: [u(), calls('A'), t('A')],
    },
    { fact: 'oc-null-content', refused: [u(null)], accepted: [u()] },
    {
      fact: 'oc-null-content',
      name: 'an assistant',
      refused: [u(), a(null)],
      accepted: [u(), { ...a(null), refusal: 'no' }],
    },
    {
      fact: 'oc-azure-required-content',
      pedantic: true,
      refused: [u(), keyless, t('A')],
      accepted: [u(), { ...keyless, content: '' }, t('A')],
    },
    {
      fact: 'oc-missing-result',
      name: 'a system message between',
      refused: [u(), calls('A'), s(), u()],
      accepted: [s(), u(), s(), u(), a(), a(), calls('A', 'B'), t('B'), t('A'), u()],
    },
  ],
}

import { assistant, result, text, use, user } from './blocks.ts'
import type { Suite } from './case.ts'
import { a, calls, s, t, u } from './chat.ts'
import { fc, fco, item, rs, says } from './items.ts'

const hi = says('user')
const step = [user(text()), assistant(text(), use('A'))]

/** Histories in another wire than the provider's own. */
export const translatedCases: Suite[] = [
  {
    dialect: 'anthropic',
    format: 'openai-chat',
    cases: [
      {
        fact: 'an-missing-result',
        refused: [s(), u(), calls('A'), u()],
        accepted: [s(), u(), calls('A'), t('A'), u()],
      },
      {
        fact: 'an-result-not-first',
        refused: [u(), calls('A'), u(), t('A')],
        accepted: [u(), calls('A'), t('A'), s(), u()],
      },
      {
        fact: 'an-first-user',
        refused: [s(), a(), u()],
        accepted: [s(), u(), { ...calls('A'), content: '' }, t('A')],
      },
      { fact: 'an-empty-content', refused: [u(), a(''), u()], accepted: [u(), u()] },
      { fact: 'an-ws-text', refused: [u('  ')], accepted: [u()] },
      { fact: 'an-id-pattern', refused: [u(), calls('a:0'), t('a:0')], accepted: [u(), calls('a-0'), t('a-0')] },
    ],
  },
  {
    dialect: 'openai-responses',
    format: 'openai-chat',
    cases: [
      {
        fact: 'or-dup-output',
        refused: [u(), calls('A'), t('A'), calls('A'), t('A')],
        accepted: [u(), calls('A'), u(), t('A')],
      },
    ],
  },
  {
    dialect: 'openai-responses',
    format: 'anthropic',
    cases: [{ fact: 'or-missing-output-fn', refused: step, accepted: [...step, user(text(), result('A'))] }],
  },
  {
    dialect: 'openai',
    format: 'anthropic',
    cases: [
      { fact: 'oc-missing-result', refused: [...step, user(text())], accepted: [...step, user(result('A'), text())] },
      {
        fact: 'oc-user-between',
        refused: [...step, user(text(), result('A'))],
        accepted: [...step, user(result('A'))],
      },
    ],
  },
  {
    dialect: 'openai',
    format: 'openai-responses',
    cases: [
      {
        fact: 'oc-trailing-call',
        refused: [hi, fc('A')],
        accepted: [hi, fc('A'), rs('rs_1'), fc('B'), fco('B'), fco('A')],
      },
      {
        fact: 'oc-orphan',
        refused: [hi, fco('A')],
        accepted: [hi, item('item_reference', { id: 'fc_1' }), fco('A')],
      },
    ],
  },
  {
    dialect: 'mistral',
    format: 'anthropic',
    cases: [
      {
        fact: 'mi-order',
        refused: [user(text()), assistant(use('aaaaaaaaa')), user(result('aaaaaaaaa'), text())],
        accepted: [
          user(text()),
          assistant(use('aaaaaaaaa')),
          user(result('aaaaaaaaa')),
          assistant(text()),
          user(text()),
        ],
      },
    ],
  },
  {
    dialect: 'llama-template',
    format: 'openai-responses',
    cases: [
      {
        fact: 'tp-single-call',
        refused: [hi, fc('A'), fc('B'), fco('A'), fco('B')],
        accepted: [hi, fc('A'), fco('A'), fc('B'), fco('B')],
      },
    ],
  },
]

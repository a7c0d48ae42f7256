import { assistant, result, text, use, user } from './blocks.ts'
import type { Suite } from './case.ts'
import { a, call, calls, s, t, thought, u } from './chat.ts'
import { fc, fco, rs, says } from './items.ts'

const healthy = [u(), calls('A'), t('A')]
const thoughtful = [u(), thought('A'), t('A')]
const withArgs = (args: string) => [u(), { ...calls(), tool_calls: [call('A', 'weather', args)] }, t('A')]
const system = { role: 'system', content: 'be kind' }

export const deepseekCases: Suite[] = [
  {
    dialect: 'deepseek',
    format: 'openai-chat',
    cases: [
      { fact: 'ds-missing', refused: [u(), thought('A'), u()], accepted: [...thoughtful, u()] },
      { fact: 'ds-orphan', refused: [u(), t('A')], accepted: thoughtful },
      {
        fact: 'ds-reasoning-back',
        refused: healthy,
        accepted: [u(), { ...calls('A'), reasoning_content: '' }, t('A')],
      },
    ],
  },
  {
    dialect: 'deepseek',
    format: 'openai-responses',
    cases: [
      {
        fact: 'ds-responses-adjacent',
        refused: [says('user'), fc('A'), says('developer'), fco('A')],
        accepted: [says('user'), fc('A'), fco('A'), says('developer')],
      },
      {
        fact: 'ds-responses-adjacent',
        name: 'reasoning between',
        refused: [says('user'), fc('A'), rs('rs_1'), fco('A')],
        accepted: [says('user'), rs('rs_1'), fc('A'), fc('B'), fco('A'), fco('B')],
      },
      { fact: 'ds-responses-orphan', refused: [says('user'), fco('A')], accepted: [says('user'), fc('A'), fco('A')] },
    ],
  },
  {
    dialect: 'deepseek',
    format: 'anthropic',
    cases: [
      { fact: 'ds-anthropic-system', refused: [system, user(text())], accepted: [user(text())] },
      {
        fact: 'ds-anthropic-missing',
        refused: [user(text()), assistant(use('A'), use('B')), user(result('A'), text())],
        accepted: [user(text()), assistant(use('A'), use('B')), user(result('B'), result('A'), text())],
      },
      {
        fact: 'an-OPEN-split',
        pedantic: true,
        refused: [user(text()), assistant(use('A'), use('B')), user(result('A')), user(result('B'))],
        accepted: [user(text()), assistant(use('A'), use('B')), user(result('A'), result('B'))],
      },
    ],
  },
]

export const minimaxCases: Suite[] = [
  {
    dialect: 'minimax',
    format: 'openai-chat',
    cases: [
      { fact: 'mm-orphan', refused: [u(), t('A')], accepted: healthy },
      { fact: 'mm-not-follow', refused: [u(), calls('A'), a(), t('A')], accepted: [...healthy, a()] },
      {
        fact: 'mm-mismatch',
        refused: [u(), calls('A', 'B'), t('A')],
        accepted: [u(), calls('A', 'B'), t('A'), t('B')],
      },
      { fact: 'mm-mismatch', name: 'a result twice', refused: [u(), calls('A'), t('A'), t('A')], accepted: healthy },
      {
        fact: 'mm-mismatch',
        name: 'neighbouring users',
        pedantic: true,
        refused: [u(), u()],
        accepted: [u(), a(), u()],
      },
      { fact: 'mm-dup', refused: [u(), calls('A', 'A'), t('A')], accepted: [...healthy, ...healthy] },
      { fact: 'mm-id-invalid', refused: [u(), calls(''), t('')], accepted: healthy },
      { fact: 'mm-args', refused: withArgs('{"city": "Lis'), accepted: withArgs('{}') },
      { fact: 'mm-empty', pedantic: true, refused: [u(), { ...calls('A'), content: '' }, t('A')], accepted: healthy },
      { fact: 'mm-empty', name: 'a result', pedantic: true, refused: [u(), calls('A'), t('A', '')], accepted: healthy },
      { fact: 'mm-empty', name: 'no user', pedantic: true, refused: [s()], accepted: [s(), u()] },
    ],
  },
  {
    dialect: 'minimax',
    format: 'anthropic',
    cases: [
      {
        fact: 'mm-not-follow',
        name: 'text behind the result',
        refused: [user(text()), assistant(use('A')), user(result('A'), text())],
        accepted: [user(text()), assistant(use('A')), user(result('A')), user(text())],
      },
    ],
  },
]

export const moonshotCases: Suite = {
  dialect: 'moonshot',
  format: 'openai-chat',
  cases: [
    { fact: 'km-missing', refused: [u(), thought('A'), u()], accepted: [...thoughtful, u()] },
    { fact: 'km-orphan', refused: [u(), t('A')], accepted: thoughtful },
    { fact: 'km-orphan', name: 'no id', refused: [...thoughtful, t()], accepted: thoughtful },
    { fact: 'km-reasoning', refused: healthy, accepted: thoughtful },
    { fact: 'km-empty', pedantic: true, refused: [u(), a('')], accepted: [u(), a()] },
  ],
}

export const qwenCases: Suite = {
  dialect: 'qwen',
  format: 'openai-chat',
  cases: [
    { fact: 'qw-missing', refused: [u(), calls('A'), u()], accepted: [...healthy, u()] },
    { fact: 'qw-orphan', refused: [u(), t('A')], accepted: healthy },
    { fact: 'qw-no-user', refused: [s(), a()], accepted: [s(), u(), a()] },
    { fact: 'qw-args', refused: withArgs(''), accepted: withArgs('{}') },
    { fact: 'qw-empty-toolcalls', pedantic: true, refused: [u(), { ...a(), tool_calls: [] }], accepted: [u(), a()] },
    { fact: 'qw-role', refused: [{ role: 'developer', content: 'be kind' }, u()], accepted: [s(), u()] },
  ],
}

export const otherHostedCases: Suite[] = [
  {
    dialect: 'glm',
    format: 'openai-chat',
    cases: [{ fact: 'gl-1214', refused: [s(), a()], accepted: [s(), u(), calls('A'), u()] }],
  },
  {
    dialect: 'glm',
    format: 'anthropic',
    cases: [{ fact: 'gl-anthropic-system', refused: [system, user(text())], accepted: [user(text())] }],
  },
  {
    dialect: 'xai',
    format: 'openai-chat',
    cases: [
      { fact: 'xa-content', refused: healthy, accepted: [u(), { ...calls('A'), content: '' }, t('A')] },
      { fact: 'xa-content', name: 'an empty list', refused: [u([])], accepted: [u(''), t('A')] },
    ],
  },
  {
    dialect: 'cohere',
    format: 'openai-chat',
    cases: [{ fact: 'co-missing', refused: [u(), calls('A'), u()], accepted: [...healthy, u(), t('X')] }],
  },
]

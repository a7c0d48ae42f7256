import type { Suite } from './case.ts'
import { a, calls, s, t, u } from './chat.ts'
import { asks, cachePoint, reasoning, replies, toolResult, toolUse, words } from './converse.ts'

const hi = asks(words())
const step = [replies(toolUse('A')), asks(toolResult('A'))]
const both = replies(toolUse('A'), toolUse('B'))

const atHome: Suite = {
  dialect: 'bedrock',
  format: 'bedrock',
  cases: [
    {
      fact: 'br-missing-result',
      refused: [hi, replies(toolUse('A')), hi],
      accepted: [hi, replies(toolUse('A')), asks(toolResult('A'), words())],
    },
    { fact: 'br-missing-result', name: 'at the tail', refused: [hi, replies(toolUse('A'))], accepted: [hi, ...step] },
    {
      fact: 'br-missing-result',
      name: 'in two messages',
      refused: [hi, both, asks(toolResult('A')), asks(toolResult('B'))],
      accepted: [hi, both, asks(toolResult('B'), toolResult('A'), cachePoint)],
    },
    { fact: 'br-too-many-results', refused: [asks(toolResult('A'))], accepted: [hi, ...step] },
    {
      fact: 'br-too-many-results',
      name: 'behind words',
      refused: [hi, replies(words()), asks(toolResult('A'))],
      accepted: [hi, replies(words(), toolUse('A')), asks(toolResult('A'))],
    },
    {
      fact: 'br-too-many-results',
      name: 'the same one twice',
      refused: [hi, replies(toolUse('A')), asks(toolResult('A'), toolResult('A'))],
      accepted: [hi, ...step],
    },
    {
      fact: 'br-dup-use',
      refused: [hi, replies(toolUse('A'), toolUse('A')), asks(toolResult('A'), toolResult('A'))],
      accepted: [hi, ...step, ...step],
    },
    {
      fact: 'br-dup-result',
      pedantic: true,
      refused: [hi, both, asks(toolResult('A'), toolResult('A'))],
      accepted: [hi, both, asks(toolResult('A'), toolResult('B'))],
    },
    {
      fact: 'br-id-form',
      refused: [hi, replies(toolUse('functions.bash:0')), asks(toolResult('functions.bash:0'))],
      accepted: [hi, replies(toolUse('functions_bash-0')), asks(toolResult('functions_bash-0'))],
    },
    { fact: 'br-start-user', refused: [replies(words()), hi], accepted: [hi, replies(words()), hi] },
    { fact: 'br-start-user', name: 'nothing at all', refused: [], accepted: [hi] },
    { fact: 'br-alternate', refused: [hi, hi], accepted: [asks(words(), words())] },
    {
      fact: 'br-alternate',
      name: 'words behind results',
      refused: [hi, ...step, hi],
      accepted: [hi, replies(toolUse('A')), asks(toolResult('A'), words())],
    },
    { fact: 'br-role', refused: [hi, { role: 'system', content: [words()] }], accepted: [hi] },
    { fact: 'br-empty-content', refused: [hi, replies()], accepted: [hi] },
    {
      fact: 'br-empty-content',
      name: 'only a cache point',
      pedantic: true,
      refused: [asks(cachePoint)],
      accepted: [hi],
    },
    { fact: 'br-blank-text', refused: [asks(words(''))], accepted: [hi] },
    { fact: 'br-ws-text', refused: [asks(words(' '))], accepted: [hi] },
    {
      fact: 'br-ws-text',
      name: 'in a result',
      refused: [hi, replies(toolUse('A')), asks(toolResult('A', [words('')]))],
      accepted: [hi, replies(toolUse('A')), asks(toolResult('A', []))],
    },
    {
      fact: 'br-error-empty',
      refused: [hi, replies(toolUse('A')), asks(toolResult('A', [], 'error'))],
      accepted: [hi, replies(toolUse('A')), asks(toolResult('A', [words('it broke')], 'error'))],
    },
    {
      fact: 'br-json',
      refused: [hi, replies(toolUse('A')), asks(toolResult('A', [{ json: [1] }]))],
      accepted: [hi, replies(toolUse('A')), asks(toolResult('A', [{ json: { sky: 'clear' } }]))],
    },
    {
      fact: 'br-json',
      name: 'the input of a call',
      refused: [hi, replies(toolUse('A', '{"city":"Li')), asks(toolResult('A'))],
      accepted: [hi, ...step],
    },
    {
      fact: 'br-name',
      refused: [hi, replies(toolUse('A', {}, 'web.search')), asks(toolResult('A'))],
      accepted: [hi, ...step],
    },
    {
      fact: 'br-trailing-ws',
      refused: [hi, replies(words('x '))],
      accepted: [hi, replies(words('x'))],
    },
    {
      fact: 'br-think',
      refused: [hi, replies(reasoning(), words()), hi],
      accepted: [hi, replies(reasoning('c2ln'), words()), hi],
    },
    {
      fact: 'br-think',
      name: 'at the end',
      refused: [hi, replies(reasoning('c2ln'))],
      accepted: [hi, replies(reasoning('c2ln'), words())],
    },
  ],
}

const abroad: Suite = {
  dialect: 'bedrock',
  format: 'openai-chat',
  cases: [
    { fact: 'br-missing-result', refused: [s(), u(), calls('A'), u()], accepted: [s(), u(), calls('A'), t('A'), u()] },
    { fact: 'br-too-many-results', refused: [u(), t('A')], accepted: [u(), calls('A'), t('A'), u(), u()] },
    { fact: 'br-start-user', refused: [s(), a(), u()], accepted: [s(), u(), a()] },
    { fact: 'br-empty-content', refused: [u(), a(''), u()], accepted: [u(), u()] },
    { fact: 'br-ws-text', refused: [u('  ')], accepted: [u()] },
  ],
}

export const bedrockCases: Suite[] = [atHome, abroad]

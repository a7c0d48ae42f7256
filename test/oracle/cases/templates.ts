import type { Suite } from './case.ts'
import { a, calls, s, t, u } from './chat.ts'

const id = 'aaaaaaaaa'
const developer = { role: 'developer', content: 'be kind' }

export const templateCases: Suite[] = [
  {
    dialect: 'qwen-template',
    format: 'openai-chat',
    cases: [
      { fact: 'tp-system-first', refused: [s(), s(), u()], accepted: [s(), u()] },
      { fact: 'tp-system-first', name: 'later', refused: [u(), s()], accepted: [u(), u(), a(), a(), t('X'), t('X')] },
      { fact: 'tp-no-user', refused: [s(), calls('A'), t('A')], accepted: [s(), u(), calls('A'), t('A')] },
      {
        fact: 'tp-no-user',
        name: 'a wrapped tool response is no query',
        refused: [u('<tool_response>sunny</tool_response>')],
        accepted: [u(), u('<tool_response>sunny</tool_response>')],
      },
      { fact: 'tp-no-messages', refused: [], accepted: [u()] },
      { fact: 'tp-role', refused: [developer, u()], accepted: [s(), u()] },
    ],
  },
  {
    dialect: 'gemma-template',
    format: 'openai-chat',
    cases: [
      { fact: 'tp-alt-gemma', refused: [u(), u()], accepted: [s(), u(), a(), u()] },
      {
        fact: 'tp-alt-gemma',
        name: 'assistants',
        refused: [u(), a(), calls('A')],
        accepted: [u(), calls('A'), t('A'), a()],
      },
      { fact: 'tp-alt-gemma', name: 'the first', refused: [a(), u()], accepted: [u(), calls('A'), t('A'), u()] },
      { fact: 'tp-alt-gemma', name: 'a later system message', refused: [u(), s(), a()], accepted: [s(), u(), a()] },
    ],
  },
  {
    dialect: 'mistral-template',
    format: 'openai-chat',
    cases: [
      { fact: 'tp-alt-mistral-new', refused: [s(), u(), u()], accepted: [s(), u(), a(), u()] },
      {
        fact: 'tp-alt-mistral-new',
        name: 'a user behind a result',
        refused: [u(), calls(id), t(id), u()],
        accepted: [u(), calls(id), t(id), a(), u()],
      },
      { fact: 'tp-alt-mistral-new', name: 'two system messages', refused: [s(), s(), u()], accepted: [s(), u(), a()] },
      { fact: 'tp-id9', refused: [u(), calls('call_1'), t('call_1')], accepted: [u(), calls(id), t(id)] },
      { fact: 'tp-roles-only', refused: [developer, u()], accepted: [s(), u()] },
    ],
  },
  {
    dialect: 'llama-template',
    format: 'openai-chat',
    cases: [
      {
        fact: 'tp-single-call',
        refused: [u(), calls('A', 'B'), t('A'), t('B')],
        accepted: [u(), calls('A'), t('A'), calls('B'), t('B'), t('X')],
      },
    ],
  },
]

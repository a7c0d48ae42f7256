import type { Call, Message } from './histories.ts'

/** A small history, and the reader that refuses it: most are refused by every reader of this wire, some by stricter ones only. */
export interface Case {
  name: string
  history: Message[]
  reader: string
}

const system = (content: string): Message => ({ role: 'system', content })
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string | null, ...calls: Call[]): Message =>
  calls.length > 0 ? { role: 'assistant', content, tool_calls: calls } : { role: 'assistant', content }
const call = (number: number, id = `call_${number}`, text = JSON.stringify({ query: `ask-${number}` })): Call => ({
  id,
  type: 'function',
  function: { name: 'search', arguments: text },
})
const result = (number: number, id = `call_${number}`, content = `answer-${number}`): Message => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
const define = (name: string, history: Message[], reader = 'openai'): Case => ({ name, history, reader })

export const cases: Case[] = [
  define('healthy', [
    system('be brief'),
    user('first question'),
    assistant('let me look', call(1), call(2)),
    result(1),
    result(2),
    assistant('first reply'),
    user('second question'),
  ]),
  define('orphan result', [
    user('first question'),
    result(9),
    assistant(null, call(1)),
    result(1),
    assistant('first reply'),
    user('second question'),
  ]),
  define('call without result, user follows', [
    user('first question'),
    assistant(null, call(1)),
    user('second question'),
  ]),
  define('call without result, at the end', [user('first question'), assistant('let me look', call(1))]),
  define('user message between call and result', [
    user('first question'),
    assistant(null, call(1)),
    user('second question'),
    result(1),
    assistant('first reply'),
  ]),
  define('result after a later assistant message', [
    user('first question'),
    assistant(null, call(1)),
    user('second question'),
    assistant('first reply'),
    result(1),
    user('third question'),
  ]),
  define('result before its call', [
    user('first question'),
    result(1),
    assistant(null, call(1)),
    user('second question'),
  ]),
  define('two results for one call', [
    user('first question'),
    assistant(null, call(1)),
    result(1),
    result(1, 'call_1', 'answer-1 once more'),
    assistant('first reply'),
  ]),
  define('one id used by two calls', [
    user('first question'),
    assistant(null, call(1, 'call_x'), call(2, 'call_x')),
    result(1, 'call_x'),
    result(2, 'call_x'),
    assistant('first reply'),
  ]),
  define('assistant text split off behind its calls', [
    user('first question'),
    assistant(null, call(1)),
    assistant('let me look'),
    result(1),
    user('second question'),
  ]),
  define('parallel calls stored as separate rows', [
    user('first question'),
    assistant(null, call(1)),
    assistant(null, call(2)),
    result(1),
    result(2),
    user('second question'),
  ]),
  define('parallel calls, one unanswered', [
    user('first question'),
    assistant(null, call(1), call(2)),
    result(1),
    user('second question'),
  ]),
  define(
    'system message in the middle',
    [system('be brief'), user('first question'), assistant('first reply'), system('be kind'), user('second question')],
    'qwen-template',
  ),
  define(
    'arguments cut off mid JSON',
    [
      user('first question'),
      assistant(null, call(1, 'call_1', '{"query":"ask-1 and th')),
      result(1),
      user('second question'),
    ],
    'qwen',
  ),
  define(
    'empty user or assistant message',
    [
      user('first question'),
      assistant(''),
      user(''),
      user('second question'),
      assistant('first reply'),
      user('third question'),
    ],
    'anthropic',
  ),
]

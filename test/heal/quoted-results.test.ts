import { expect, test } from 'vitest'
import { type CodecId, check, repair } from '../../src/index.ts'

const user = { role: 'user', content: 'hi' }

const wires: [CodecId, object, (content: unknown) => object][] = [
  ['openai-chat', user, content => ({ role: 'tool', tool_call_id: 'X', content })],
  ['openai-responses', user, output => ({ type: 'function_call_output', call_id: 'X', output })],
  [
    'anthropic',
    user,
    content => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'X', content, is_error: false }] }),
  ],
  [
    'gemini',
    { role: 'user', parts: [{ text: 'hi' }] },
    response => ({ role: 'user', parts: [{ functionResponse: { id: 'X', name: 'look', response } }] }),
  ],
  [
    'bedrock',
    { role: 'user', content: [{ text: 'hi' }] },
    content => ({ role: 'user', content: [{ toolResult: { toolUseId: 'X', content } }] }),
  ],
  [
    'ai-sdk',
    user,
    output => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'X', toolName: 'look', output }] }),
  ],
  ['langchain', { type: 'human', content: 'hi' }, content => ({ type: 'tool', tool_call_id: 'X', content })],
  ['ag-ui', { id: 'u', ...user }, content => ({ id: 't', role: 'tool', toolCallId: 'X', content })],
]

/** Values that are not blocks of any wire, with what must be read of them afterwards. */
const values: [unknown, string][] = [
  [7351, '7351'],
  [{ flight: 'TP 1351' }, 'TP 1351'],
  [['TP 1351', 'TP 1353'], 'TP 1353'],
  [[{ flight: 'TP 1351' }, null], 'TP 1351'],
  [[{ type: 'text', text: 'TP 1351' }, 7351], '7351'],
  [[[7351]], '7351'],
]

test.each(wires)('[L8] a quoted result is text, whatever the tool returned: %s', (format, hi, result) => {
  for (const [value, word] of values) {
    const options = { format, orphans: 'quote' } as const
    const { messages, remaining } = repair([hi, result(value)], options)
    expect([...remaining, ...check(messages, options)]).toEqual([])
    const texts = textsIn(messages)
    expect(texts.some(text => text.includes(word) && text.startsWith('[result of '))).toBe(true)
    expect(JSON.stringify(messages).replaceAll('\\"', '"').split(word)).toHaveLength(2)
  }
})

/** The words of users, alone or in blocks. */
function textsIn(messages: readonly unknown[]): string[] {
  return (messages as { content?: unknown; parts?: unknown }[]).flatMap(({ content, parts }) =>
    typeof content === 'string' ? [content] : ((content ?? parts) as { text: string }[]).map(({ text }) => text),
  )
}

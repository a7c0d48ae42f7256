import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from '../../../src/heal/heal.ts'
import { redact } from '../../../src/heal/shrink/redact.ts'
import { shrink } from '../../../src/heal/shrink/shrink.ts'
import { anthropicUnanswered, call, healthy, json, orphan, result, user } from './histories.ts'
import { antiphon, lines } from './program.ts'

const turns = (count: number): object[] =>
  Array.from({ length: count }, (_, turn) => [
    user(`Question ${turn}`),
    call(`call_${turn}`),
    result(`call_${turn}`, `Answer ${turn}`),
    { role: 'assistant', content: `So ${turn}.` },
  ]).flat()

describe.concurrent('shrink', () => {
  test('[C24] of ten thousand messages it leaves those that show the fault', async () => {
    const long = turns(2500)
    const history = [...long.slice(0, 7003), result('call_1750', 'again'), ...long.slice(7003)]
    const { code, stdout, stderr } = await antiphon(['shrink'], { input: json(history) })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([
      call('call_1750'),
      result('call_1750', 'Answer 1750'),
      result('call_1750', 'again'),
    ])
    expect(lines(stderr)).toEqual([
      '10001 messages -> 3, still duplicate-result at messages[2]',
      'check it with: antiphon check --for openai',
    ])
  })

  test('[C24] --rule and --for choose what to show', async () => {
    const history = [...orphan, call('call_9'), user('Hello?')]
    const [error, chosen, other] = await Promise.all([
      antiphon(['shrink'], { input: json(history) }),
      antiphon(['shrink', '--rule', 'unanswered-call'], { input: json(history) }),
      antiphon(['shrink', '--for', 'mistral', '--rule', 'malformed-id'], { input: json(history) }),
    ])
    expect(JSON.parse(error.stdout)).toEqual([orphan[1]])
    expect(JSON.parse(chosen.stdout)).toEqual([call('call_9')])
    expect(JSON.parse(other.stdout)).toEqual([orphan[1]])
    expect(other.stderr).toContain('-> 1, still malformed-id at messages[0]\n')
  })

  test('[C24] what is left is recognised as the same shape and shows the same again', () => {
    const blank = { role: 'assistant', content: [{ type: 'text', text: '' }] }
    const shrunk = shrink([user('Hi.'), blank, ...anthropicUnanswered])
    expect(shrunk?.messages).toEqual([blank, anthropicUnanswered[1]])
    expect(check(shrunk?.messages)).toContainEqual(shrunk?.diagnostic)
  })

  test('[C26] without such a fault nothing is written, and the exit code is 1', async () => {
    const [fine, wrong] = await Promise.all([
      antiphon(['shrink'], { input: json(healthy) }),
      antiphon(['shrink', '--rule', 'orphan'], { input: json(healthy) }),
    ])
    expect(fine).toEqual({
      code: 1,
      stdout: '',
      stderr: 'antiphon: <stdin>: nothing to shrink: it is healthy for openai\n',
    })
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(/^antiphon: unknown rule "orphan" \(did you mean orphan-result\?/)
  })
})

describe('redact', () => {
  test('[C25] nothing that was said is left, and everything that binds is', async () => {
    const history = [
      { role: 'user', name: 'Ada', content: 'My card is 4711.', seat: 12, id: 'msg_7' },
      {
        ...call('call_1', 'charge', '{"card":"4711","tags":["a",12,true,null]}'),
        reasoning_content: 'Ünïcode Gründe 42',
      },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }] },
    ]
    const { code, stdout, stderr } = await antiphon(['shrink', '--redact'], { input: json(history) })
    expect(code).toBe(0)
    expect(stderr).not.toContain('not redacted')
    expect(JSON.parse(stdout)).toEqual([
      {
        ...call('call_1', 'charge', '{"card":"0000","tags":["x",0,false,null]}'),
        reasoning_content: 'xxxxxxx xxxxxx 00',
      },
    ])
    expect(redact(history, 'messages')).toMatchObject([
      { role: 'user', name: 'xxx', content: 'xx xxxx xx 0000.', seat: 0, id: 'msg_7' },
      {},
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'xxxx:xxxxx/xxx;xxxx00,xxxx' } }] },
    ])
  })

  test('[C25] results and inputs of every wire lose their words and keep their build', () => {
    const history = [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'pay', input: { name: 'Ada', id: 'x9' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Paid 5' }] }],
      },
      { type: 'function_call_output', call_id: 'call_1', output: { name: 'Ada', type: 'person', age: 36 } },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'rm -rf' },
      { type: 'model_output', content: [{ type: 'image', mime_type: 'image/png', data: 'QUJD', id: 'i1' }] },
      { type: 'function_result', call_id: 'a1', result: [{ type: 'image', mime_type: 'image/png', data: 'QUJD' }] },
    ]
    expect(redact(history, 'messages')).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'pay', input: { name: 'xxx', id: 'x0' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'xxxx 0' }] }],
      },
      { type: 'function_call_output', call_id: 'call_1', output: { name: 'xxx', type: 'xxxxxx', age: 0 } },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'xx -xx' },
      { type: 'model_output', content: [{ type: 'image', mime_type: 'image/png', data: 'xxxx', id: 'i1' }] },
      { type: 'function_result', call_id: 'a1', result: [{ type: 'image', mime_type: 'image/png', data: 'xxxx' }] },
    ])
  })

  test('[C25] arguments that are JSON stay JSON, broken ones stay broken', () => {
    const redacted = (input: string): string => {
      const [message] = redact([call('call_1', 'f', input)], 'messages') as ReturnType<typeof call>[]
      return (message as { tool_calls: { function: { arguments: string } }[] }).tool_calls[0].function.arguments
    }
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, length]) => text.slice(0, length % (text.length + 1)))
    fc.assert(
      fc.property(fc.oneof(fc.json(), cut, fc.string()), text => {
        expect(parses(redacted(text))).toBe(parses(text))
      }),
    )
    expect(redacted('{"city": "Lis')).toBe('{"xxxx": "xxx')
  })

  test('[C25] a text without which the fault would not show is kept, and said to be', async () => {
    const history = [
      user('Go on.'),
      call('call_1'),
      result('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
      result('call_1', 'TP 1351'),
    ]
    const { stdout, stderr } = await antiphon(['shrink', '--redact'], { input: json(history) })
    expect(JSON.parse(stdout)).toEqual([
      call('call_1', 'search_flights', '{"to":"xxx"}'),
      history[2],
      result('call_1', 'xx 0000'),
    ])
    expect(stderr).toContain('not redacted, because the diagnostic depends on it: messages[1].content\n')
  })
})

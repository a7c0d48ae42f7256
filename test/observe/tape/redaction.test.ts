import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../../src/codecs/index.ts'
import { check } from '../../../src/heal/heal.ts'
import { maskText } from '../../../src/observe/tape/filler.ts'
import { redactBody } from '../../../src/observe/tape/redact-body.ts'
import { history, validHistory } from '../../laws/history.ts'
import { wordsIn } from '../../laws/random.ts'
import { codecIds, readersOf } from '../../laws/try-laws.ts'
import { seedsOf } from '../../sample.ts'
import { interrupted, recording } from './recording.ts'

type Messages = readonly unknown[]

const redacted = (codec: CodecId, messages: Messages): Messages => {
  const { root } = codecs[codec].format
  return (redactBody({ [root]: messages }) as Record<string, Messages>)[root]
}

const histories = (codec: CodecId, seeds: readonly number[]): Messages[] =>
  seeds.flatMap(seed => [history(codec, seed), validHistory(codec, seed)].map(h => h.messages))

describe.each(codecIds)('redaction of %s', codec => {
  test('[TP6] the same rules are found at the same places, for every reader', () => {
    for (const messages of histories(codec, seedsOf(40, 10))) {
      const hidden = redacted(codec, messages)
      for (const reader of readersOf(codec)) {
        const found = (list: Messages): string[] =>
          check(list, { format: codec, for: reader }).map(({ rule, at }) => `${rule} at ${at}`)
        expect(found(hidden)).toEqual(found(messages))
      }
    }
  })

  test('[TP7] no word is left, and no word decides what is put in its place', () => {
    let spoken = 0
    const seeds = seedsOf(150, 50)
    for (const messages of histories(codec, seeds)) {
      const hidden = redacted(codec, messages)
      // Some random histories have a sentence for an id or a role, and those stay.
      if (wordsIn(hidden).length > 0) continue
      spoken++
      const other = JSON.parse(JSON.stringify(messages).replace(/w(\d+)/g, (_, digits) => `q${turned(digits)}`))
      expect(redacted(codec, other)).toEqual(hidden)
      expect(JSON.stringify(hidden)).not.toMatch(/Lisbon|please|prüfen|café|quoted|tabbed|invisible|Привет|日本語|🎉/)
    }
    expect(spoken).toBeGreaterThan((seeds.length * 250) / 150)
  })

  test('[TP8] roles, ids, names, kinds and order stay', () => {
    const build = (list: Messages): unknown[] =>
      codecs[codec].decode(list).messages.map(({ role, parts, itemId }) => ({
        ...{ role, itemId },
        parts: parts.map(part => ({
          kind: part.kind,
          itemId: part.itemId,
          ...(part.kind === 'call' || part.kind === 'result' ? { id: part.id, name: part.name, by: part.by } : {}),
        })),
      }))
    for (const seed of seedsOf(100, 25)) {
      const { messages } = validHistory(codec, seed)
      expect(build(redacted(codec, messages))).toEqual(build(messages))
    }
  })
})

/** Other digits, as different from each other as they were. */
const turned = (digits: string): string => digits.replace(/\d/g, digit => String((Number(digit) + 3) % 10))

describe('redaction', () => {
  test('[TP7] of a whole conversation nothing that was said is left, and numbers and switches are said, too', () => {
    const { tape, text } = recording()
    interrupted(tape)
    expect(text()).not.toMatch(/Run|tests|npm|Stop|enough|pressed|412|failed|Runs a|command\./)
    expect(text()).toContain('"input":{"command":"xxx xxxx","retries":0,"xxx":false}')
    expect(text()).toContain('"content":"xxx xxx xxxxx."')
  })

  test('[TP7] what differed still differs, and what was equal still is', () => {
    const user = (content: string): object => ({ role: 'user', content })
    const said = ['Yes 1', 'Not 2', 'Yes 1', 'größe', 'Größe', '12', '34', '!?', '   ', '']
    expect(redacted('openai-chat', said.map(user))).toEqual(
      ['xxx 0', 'xxy 0', 'xxx 0', 'xxxxx', 'xxxxy', '00', '01', '!?', '   ', ''].map(user),
    )
    for (const text of said) expect(maskText(text)).toHaveLength(text.length)
  })

  test('[TP8] arguments keep their form: JSON stays JSON, laid out as it was, and what is broken stays broken', () => {
    const input = (text: string): string => {
      const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: text } }
      const [message] = redacted('openai-chat', [{ role: 'assistant', content: null, tool_calls: [call] }])
      return (message as { tool_calls: (typeof call)[] }).tool_calls[0].function.arguments
    }
    expect(input('{ "to": "LIS",\n "days": [5, 7, 5], "ok": true, "none": null }')).toBe(
      '{ "xx": "xxx",\n "xxxx": [0, 1, 0], "xy": false, "xxxy": null }',
    )
    expect(input('{"ada@example.test": 1, "name": "\\u0041\\n"}')).toBe('{"xxx@xxxxxxx.xxxx": 0, "xxxx": "x\\n"}')
    expect(input('{"city": "Lis')).toBe('{"xxxx": "xxx')
    expect(() => JSON.parse(input('{"a": 01}'))).toThrow()
    expect(input('"just text"')).toBe('"xxxx xxxx"')
  })

  test('[TP8] steps of an interaction keep the types of their contents, and the interaction that they continue', () => {
    const image = { type: 'image', mime_type: 'image/png', data: 'AAAA' }
    const said = { type: 'text', text: 'Sunny.', annotations: [{ type: 'url_citation', title: 'In Rome' }] }
    const hidden = { type: 'text', text: 'xxxxx.', annotations: [{ type: 'url_citation', title: 'xx xxxx' }] }
    const body = { model: 'gemini-3-pro', previous_interaction_id: 'v1_abc' }
    const steps = (image: object, said: object): object[] => [
      { type: 'model_output', content: [said, image] },
      { type: 'function_result', call_id: 'a1', name: 'look', result: [image] },
    ]
    expect(redactBody({ ...body, input: steps(image, said) })).toEqual({
      ...body,
      input: steps({ ...image, data: 'xxxx' }, hidden),
    })
  })

  test('[TP8] the settings of a request stay, and what describes them does not', () => {
    const schema = {
      type: 'object',
      properties: { to: { type: 'string', description: 'Where', enum: ['LIS', 'OPO'] } },
    }
    const body = {
      model: 'gpt-5',
      max_tokens: 512,
      stream: true,
      user: 'ada@example.test',
      system: 'Be brief.',
      metadata: { order: 'A-17', name: 'Ada', id: 'ada', vip: true },
      tool_choice: { type: 'function', function: { name: 'fly' } },
      tools: [
        {
          type: 'function',
          function: { name: 'fly', description: 'Books.', parameters: { ...schema, required: ['to'] } },
        },
      ],
      messages: [],
    }
    expect(redactBody(body)).toEqual({
      ...body,
      user: 'xxx@xxxxxxx.xxxx',
      system: 'xx xxxxx.',
      metadata: { order: 'x-00', name: 'xxx', id: 'xxy', vip: false },
      tools: [
        {
          type: 'function',
          function: {
            name: 'fly',
            description: 'xxxxx.',
            parameters: {
              type: 'object',
              properties: { to: { type: 'string', description: 'xxxxx', enum: ['xxz', 'xxa'] } },
              required: ['to'],
            },
          },
        },
      ],
    })
  })

  test('[TP7] a name that is not a tool’s is said, and not built', () => {
    const said = [
      { role: 'user', name: 'Ada', content: [{ type: 'document', source: { type: 'text' }, name: 'Letter' }] },
      { role: 'user', content: 'Hi', metadata: { name: 'Ada', customer: { name: 'Ada' } } },
    ]
    expect(JSON.stringify(redacted('openai-chat', said))).not.toMatch(/Ada|Letter/)
    const part = { functionCall: { name: 'look' } }
    expect(redacted('gemini', [{ role: 'model', parts: [part] }])).toEqual([{ role: 'model', parts: [part] }])
  })

  test('[SE122] of fields that no provider has, and of arguments that no tool declares, no word is left', () => {
    const secret = {
      name: 'Ann',
      id: 'ann@example.org',
      type: 'patient',
      format: 'hiv',
      model: 'a',
      Ann: 7,
      status: true,
    }
    const body = {
      model: 'gpt-5',
      extra_body: { customer: secret, list: [secret] },
      store: { name: 'Ann', pattern: 'ann.*' },
      hooks: [[secret]],
      reasoning: { effort: 'high', summary: 'auto' },
      tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { to: { type: 'string' } } } } }],
      messages: [
        { role: 'user', content: 'Hi', metadata: secret },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_2', name: 'f', input: { to: 'Ann', ann: { Ann: secret } } }],
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"to":1,"Ann":{"to":2}}' } },
          ],
        },
      ],
    }
    const hidden = redactBody(body) as typeof body
    expect(JSON.stringify(hidden)).not.toMatch(/ann\b|patient|hiv|example/i)
    expect(hidden.messages[1].tool_calls?.[0].function.arguments).toBe('{"to":1,"xxx":{"to":2}}')
    expect(Object.keys(hidden)).toEqual(Object.keys(body))
    expect(hidden).toMatchObject({ model: 'gpt-5', reasoning: body.reasoning, tools: body.tools })
  })

  test('[TP7] redact: false keeps everything', () => {
    const { tape, text } = recording({ redact: false })
    interrupted(tape)
    expect(text()).toContain('Stop, the unit tests are enough.')
    expect(text()).toContain('"retries":3,"dry":true')
  })
})

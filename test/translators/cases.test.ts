import { coerceMessageLikeToMessage } from '@langchain/core/messages'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { repair } from '../../src/index.ts'
import { keepQuiet } from './quiet.ts'
import type { History, Translator } from './translator.ts'
import { healed, outcomeOf, translators } from './trial.ts'

beforeAll(() => {
  keepQuiet(vi.spyOn(console, 'warn'))
})

const ask = { role: 'user', content: 'Refund order 7.' }
const next = { role: 'user', content: 'And order 8?' }

const thinks = (providerOptions?: object) => ({
  role: 'assistant',
  content: [{ type: 'reasoning', text: '', ...(providerOptions && { providerOptions }) }],
})

const speaks = (...texts: object[]) => ({ role: 'assistant', content: texts.map(text => ({ type: 'text', ...text })) })

const signed = { google: { thoughtSignature: 'c2lnbmVk' } }
const vertexSigned = { googleVertex: { thoughtSignature: 'c2lnbmVk' } }
const stored = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'ZW5j' } }

/** A history of model messages as the chat that a client keeps. */
const chatOf = (history: readonly { role: string; content: unknown }[]): History =>
  history.map(({ role, content }, index) => ({
    id: `m${index}`,
    role,
    parts: (typeof content === 'string' ? [{ type: 'text', text: content }] : (content as object[])).map(part => {
      const { providerOptions, ...rest } = part as { providerOptions?: object }
      return providerOptions ? { ...rest, providerMetadata: providerOptions } : rest
    }),
  }))

const ofAiSdk = translators.filter(({ format }) => format === 'ai-sdk' || format === 'ai-sdk-ui')
const ofLangChain = translators.filter(({ format }) => format === 'langchain')

describe.each(ofAiSdk)('$name', translator => {
  const { format, dialect } = translator
  const as = (history: readonly { role: string; content: unknown }[]): History =>
    format === 'ai-sdk' ? history : chatOf(history)

  test.each([
    ['without anything', thinks()],
    ['with options of no provider', thinks({})],
    ['with an id of OpenAI', thinks(stored)],
    ['with a signature of Google', thinks(signed)],
    ['beside an empty text', { role: 'assistant', content: [...thinks().content, { type: 'text', text: '' }] }],
  ])('[NH21] sends what its provider accepts where a message is only reasoning without words: %s', async (_, said) => {
    for (const history of [as([ask, said, next]), as([ask, said]), as([ask, said, said, next])])
      expect(await accepted(translator, history)).toBe('accepted')
  })

  test('[NH21] sends no reasoning of OpenAI that leads to nothing, and keeps what leads to words', async () => {
    const summary = ['First', 'Then'].map(text => ({ type: 'reasoning', text, providerOptions: stored }))
    const cut = { role: 'assistant', content: summary }
    const whole = { role: 'assistant', content: [...summary, { type: 'text', text: 'Done.' }] }
    for (const history of [as([ask, cut, next]), as([ask, whole, next, cut])])
      expect(await accepted(translator, history)).toBe('accepted')
    const history = as([ask, whole, next])
    expect(healed(translator, history)).toBe(history)
  })

  test.each([
    ['after words', speaks({ text: 'Done.' }, { text: '', providerOptions: signed })],
    ['alone', speaks({ text: '', providerOptions: vertexSigned })],
  ])('[NH22] keeps a text without words that its provider signed: %s', async (_, said) => {
    const history = as([ask, said, next])
    expect(await accepted(translator, history)).toBe('accepted')
    if (dialect === 'gemini') expect(healed(translator, history)).toBe(history)
  })
})

const progress = { type: 'data-progress', id: 'd1', data: { done: 1 } }
const source = { type: 'source-url', sourceId: 's1', url: 'https://example.test' }
const served = { type: 'tool-search', toolCallId: 'srvtoolu_1', input: {}, state: 'input-available' }

describe.each(ofAiSdk.filter(({ format }) => format === 'ai-sdk-ui'))('$name', translator => {
  const speaker = (...parts: object[]) => ({ id: 'a1', role: 'assistant', parts })

  test.each([
    ['data', [speaker(progress)]],
    ['sources after a system message', [...chatOf([{ ...ask, role: 'system' }]), speaker(source)]],
    ['data in a step', [speaker({ type: 'step-start' }, progress)]],
    ['sources after a message without parts', [{ id: 'u1', role: 'user', parts: [] }, speaker(source, progress)]],
    ['data beside a call of another provider', [speaker(progress, served)]],
    ['data beside reasoning without words', [...chatOf([ask]), speaker({ type: 'reasoning', text: '' }, progress)]],
  ])('[NH24] sends something of a chat in which nothing but what a client shows is left: %s', async (_, history) => {
    const after = healed(translator, history)
    expect(await outcomeOf(translator, after)).toBe('accepted')
    expect(healed(translator, after)).toBe(after)
    // For Mistral such a message goes, since the user must not follow a result, and it could stand between the two.
    if (history.length === 1 && translator.dialect !== 'mistral')
      expect(after.at(-1)).toMatchObject({ role: 'assistant' })
  })
})

describe.each(ofAiSdk.filter(({ format }) => format === 'ai-sdk'))('$name', translator => {
  test.each(['srvtoolu_1', 'ws_1', 'call_1'])(
    '[NH33] sends what its provider accepts where the result of its own call is in a tool message: %s',
    async toolCallId => {
      const called = { toolCallId, toolName: 'search' }
      const call = { type: 'tool-call', ...called, input: { query: 'x' }, providerExecuted: true }
      const result = { type: 'tool-result', ...called, output: { type: 'text', value: 'found' } }
      const asked = { type: 'tool-approval-request', approvalId: 'ap_1', toolCallId }
      const answer = { type: 'tool-approval-response', approvalId: 'ap_1', approved: true }
      const after = { role: 'assistant', content: 'Done.' }
      for (const history of [
        [ask, { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }],
        [ask, { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }, after, next],
        [ask, { role: 'assistant', content: [asked, call] }, { role: 'tool', content: [answer, result] }, after, next],
        [ask, { role: 'assistant', content: [call] }, { role: 'tool', content: [result, result] }, after, next],
      ]) {
        const now = healed(translator, history)
        expect(await outcomeOf(translator, now)).toBe('accepted')
        expect(healed(translator, now)).toBe(now)
        if (translator.dialect === 'anthropic' && toolCallId === 'srvtoolu_1')
          expect(now[1]).toMatchObject({ content: expect.arrayContaining([result]) })
      }
    },
  )
})

const picture = { type: 'file', mediaType: 'image/png', url: 'https://example.test/a.png' }
const said = { type: 'text', text: 'Done.' }
const thought = (name: string, proof: object) => ({
  type: 'reasoning',
  text: 'hm',
  providerMetadata: { [name]: proof },
})
const unfinished = { type: 'dynamic-tool', toolName: 'search', toolCallId: '', state: 'input-streaming' }
const step = { type: 'step-start' }
const claims = [
  thought('anthropic', { signature: 'Eq' }),
  thought('bedrock', { signature: 'Eq' }),
  thought('openai', { itemId: 'rs_1' }),
]

describe.each(ofAiSdk.filter(({ format }) => format === 'ai-sdk-ui'))('$name', translator => {
  const speaker = (id: string, ...parts: object[]) => ({ id, role: 'assistant', parts })
  const [first, last] = chatOf([ask, next])

  test.each([
    ['a file', [picture]],
    ['a file beside data', [picture, progress]],
    ['a file beside a call that was never finished', [picture, unfinished]],
    ['data before a file', [progress, source, picture]],
  ])('[NH27] sends what its provider accepts where the package leaves a message out: %s', async (_, parts) => {
    for (const history of [
      [first, speaker('a1', ...parts), last],
      [speaker('a1', ...parts), last],
      [first, speaker('a1', ...parts)],
      [first, speaker('a1', said), speaker('a2', ...parts), last],
    ])
      expect(await accepted(translator, history)).toBe('accepted')
  })

  test.each([
    ['a file', [picture]],
    ['a file and a call that was never finished', [picture, unfinished]],
    ['data in a step of its own', [step, progress]],
    ['a file in a step of its own', [step, picture]],
  ])('[NH28] does not let reasoning be the last that is sent: before %s', async (_, parts) => {
    for (const claim of claims)
      for (const history of [
        [first, speaker('a1', claim, ...parts)],
        [first, speaker('a1', said, step, claim, ...parts)],
        [first, speaker('a1', claim, ...parts), last],
        [first, speaker('a1', said), speaker('a2', claim), speaker('a3', ...parts)],
      ]) {
        const after = healed(translator, history)
        expect(await outcomeOf(translator, after)).toBe('accepted')
        expect(healed(translator, after)).toBe(after)
      }
  })

  const listens = (...parts: object[]) => ({ id: 'u9', role: 'user', parts })
  const loses = ['anthropic', 'gemini', 'bedrock'].includes(translator.dialect)

  test.each([
    ['data', [progress]],
    ['sources and data', [source, progress]],
    ['the mark of a step', [step]],
    ['reasoning', [{ type: 'reasoning', text: 'hm' }]],
    ['a call that was never finished beside data', [unfinished, progress]],
  ])('[NH29] lets a user message say something of which nothing is sent: %s', async (_, parts) => {
    for (const history of [
      [first, speaker('a1', said), listens(...parts)],
      [listens(...parts), speaker('a1', said), last],
      [first, speaker('a1', said), listens(...parts), { ...listens(...parts), id: 'u10' }, speaker('a2', said), last],
    ]) {
      const after = healed(translator, history)
      expect(await outcomeOf(translator, after)).toBe('accepted')
      expect(healed(translator, after)).toBe(after)
      const { parts: now } = after.find(message => (message as { id?: string }).id === 'u9') as { parts: object[] }
      expect(now).toEqual(expect.arrayContaining(loses ? [...parts, { type: 'text', text: '(continue)' }] : parts))
    }
  })

  test('[NH29] leaves a user message alone that is sent together with others, or that a word is in', async () => {
    const spoken = [first, speaker('a1', said), listens(progress, said)]
    expect(healed(translator, spoken)).toBe(spoken)
    // Google is sent each of them, and Bedrock takes them as one message only.
    if (translator.dialect === 'gemini' || translator.dialect === 'bedrock') return
    const beside = [first, speaker('a1', said), listens(progress), last]
    expect(healed(translator, beside)).toBe(beside)
  })
})

const entry = (id: string, args: unknown) => ({ id, type: 'function', function: { name: 'refund', arguments: args } })
const opening = { type: 'human', content: 'Refund order 7.' }
const closing = { type: 'human', content: 'And order 8?' }
const result = (id: string) => ({ type: 'tool', content: 'refunded', tool_call_id: id })

describe.each(ofLangChain)('$name', translator => {
  test.each([
    ['a value in place of its text', [entry('call_1', { order: 7 })]],
    ['a value beside a text', [entry('call_1', '{"order":7}'), entry('call_2', { order: 8 })]],
    ['no arguments', [{ id: 'call_1', type: 'function', function: { name: 'refund' } }]],
    ['text that ends early', [entry('call_1', '{"order')]],
    ['an entry of another form', [{ id: 'call_1', name: 'refund', args: { order: 7 } }]],
    ['an entry that is nothing', [null, entry('call_1', '{"order":7}')]],
  ])('[NH23] sends the calls that only the list of a provider has: %s', async (_, calls) => {
    const ids = calls.flatMap(call => call?.id ?? [])
    const said = { type: 'ai', content: '', additional_kwargs: { tool_calls: calls } }
    const history = [{ type: 'human', content: 'Refund order 7.' }, said, ...ids.map(result)]
    const sent = await translator.send(healed(translator, history))
    for (const id of ids) expect(JSON.stringify(sent)).toContain(id)
    expect(await accepted(translator, history)).toBe('accepted')
  })
})

describe.each(ofLangChain)('$name', translator => {
  test.each([
    ['a value that is not an object', 'tool_use', 3],
    ['null', 'tool_use', null],
    ['a list', 'tool_use', ['order', 7]],
    ['text', 'tool_use', '{"order'],
    ['text in a block of LangChain', 'tool_call', '{"order'],
    ['nothing in a block of LangChain', 'tool_call', undefined],
  ])('[NH25] sends the arguments of the list where their copy in the content is broken: %s', async (_, type, copy) => {
    const block = { type, id: 'call_1', name: 'refund', [type === 'tool_use' ? 'input' : 'args']: copy }
    const said = { type: 'ai', content: [block], tool_calls: [{ id: 'call_1', name: 'refund', args: { order: 7 } }] }
    for (const metadata of [{}, { response_metadata: { output_version: 'v1' } }]) {
      const history = [{ type: 'human', content: 'Refund order 7.' }, { ...said, ...metadata }, result('call_1')]
      expect(await accepted(translator, history)).toBe('accepted')
    }
  })

  test.each([null, true, 7, '', ' ', {}, { url: null }, { url: '' }])(
    '[NH26] sends what its provider accepts where an image has no address: %j',
    async image_url => {
      const pictures = { type: 'human', content: [{ type: 'image_url', image_url }] }
      for (const history of [
        [pictures],
        [pictures, { type: 'ai', content: 'Which?' }, { type: 'human', content: 'This.' }],
        [{ type: 'human', content: [{ type: 'text', text: 'Look' }, ...pictures.content] }],
      ])
        expect(await accepted(translator, history)).toBe('accepted')
    },
  )

  test.each([
    ['with words', [{ type: 'null', text: 'x' }]],
    ['of another API', [{ type: 'input_text', text: 'Refund order 7.' }]],
    ['of a sound', [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]],
    [
      'beside a blank text',
      [
        { type: 'video', url: 'https://example.test/v' },
        { type: 'text', text: ' ' },
      ],
    ],
  ])('[NH30] sends what its provider accepts where a package leaves out all blocks: %s', async (_, content) => {
    const human = { type: 'human', content }
    for (const history of [
      [human],
      [opening, { type: 'ai', content: 'Which?' }, human, { type: 'ai', content: 'Done.' }, closing],
    ]) {
      const after = healed(translator, history)
      expect(await outcomeOf(translator, after)).toBe('accepted')
      expect(JSON.stringify(after)).toContain(JSON.stringify(content[0]))
    }
    for (const history of [
      [opening, { type: 'ai', content }],
      [opening, { type: 'ai', content }, closing],
      [{ type: 'system', content }, opening],
    ])
      expect(await accepted(translator, history)).toBe('accepted')
  })

  test('[NH30] leaves blocks that are left out alone where others are sent, or reasoning is', async () => {
    const unknown = { type: 'null', text: 'x' }
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'Eq' }
    for (const content of [
      [unknown, { type: 'text', text: 'Done.' }],
      [thinking, unknown],
    ]) {
      const history = [opening, { type: 'ai', content }, closing]
      expect(healed(translator, history)).toBe(history)
    }
    const history = [opening, { type: 'ai', content: [{ type: 'text', text: 'Done.' }, thinking] }]
    expect(await accepted(translator, history)).toBe('accepted')
  })

  test('[NH32] reads a message by its type where its role is not a text', async () => {
    const history = [{ role: { output: 1 }, type: 'user', content: 'Refund order 7.' }]
    expect(coerceMessageLikeToMessage(history[0] as never).type).toBe('human')
    expect(healed(translator, history)).toBe(history)
    expect(await outcomeOf(translator, history)).toBe('accepted')
  })

  test.each([
    'Größe prüfen',
    'note: a picture',
    'http://',
    'picture.png',
    'gs://bucket/picture.png',
    'data:image/svg+xml;base64,AAAA',
    'data:image/png;base64,not base64',
  ])('[NH26] sends what its provider accepts where an image has an address that is not sent: %s', async address => {
    for (const block of [
      { type: 'image_url', image_url: address },
      { type: 'image_url', image_url: { url: address } },
      { type: 'image', url: address },
    ])
      for (const type of ['human', 'ai'])
        for (const content of [[block], [{ type: 'text', text: 'Look' }, block]])
          expect(await accepted(translator, [opening, { type, content }, closing])).toBe('accepted')
    const called = { type: 'ai', content: '', tool_calls: [{ id: 'call_1', name: 'refund', args: {} }] }
    const pictured = { type: 'image_url', image_url: { url: address } }
    for (const content of [[pictured], [{ type: 'text', text: 'Look' }, pictured]])
      expect(await accepted(translator, [opening, called, { ...result('call_1'), content }])).toBe('accepted')
  })

  test.each(['https://example.test/a.png', 'HTTP://example.test', 'data:image/png;base64,iVBORw0KGgo='])(
    '[NH26] leaves an image with an address that is sent alone: %s',
    url => {
      const history = [{ type: 'human', content: [{ type: 'image_url', image_url: { url } }] }]
      expect(healed(translator, history)).toBe(history)
    },
  )

  const items = [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' }]

  test.each([
    ['the items of its answer', { response_metadata: { output: items } }],
    ['the calls of the provider', { additional_kwargs: { tool_outputs: items } }],
  ])('[NH31] keeps a message that says something only in %s, or reports it', async (_, fields) => {
    for (const content of ['', [], undefined]) {
      const history = [opening, { type: 'ai', content, ...fields }, closing]
      const { messages, repairs } = repair(history, {
        ...{ format: 'langchain', for: translator.dialect, model: translator.model },
      })
      expect(await outcomeOf(translator, messages)).toBe('accepted')
      if (translator.dialect === 'openai-responses') expect(messages).toBe(history)
      else if (messages.length < 3) expect(repairs).toMatchObject([{ rule: 'empty-message', class: 'lossy' }])
    }
  })

  test.each([
    ['a text', [{ type: 'text', text: 'refunded' }], 'refunded'],
    [
      'an image',
      [
        { type: 'text', text: 'refunded' },
        { type: 'image', url: 'https://example.test/receipt.png' },
      ],
      'receipt.png',
    ],
  ])('[NH705] sends a result in standard blocks as the result of its call: %s', async (_, content, words) => {
    const { content: __, ...answer } = result('call_1')
    const v1 = { output_version: 'v1' }
    for (const written of [
      { contentBlocks: content },
      { content_blocks: content },
      { content, response_metadata: v1 },
      { content_blocks: content, response_metadata: { ...v1, kept: 1 } },
    ]) {
      const said = { type: 'ai', content: '', tool_calls: [{ id: 'call_1', name: 'refund', args: {} }] }
      const history = [{ type: 'human', content: 'Refund order 7.' }, said, { ...answer, ...written }]
      const after = healed(translator, history)
      expect(await outcomeOf(translator, after)).toBe('accepted')
      const sent = await translator.send(after)
      if (translator.dialect === 'openai-responses') expect(JSON.stringify(sent.input)).toContain(words)
      else expect(after).toBe(history)
    }
  })

  test('[NH25] finds the copy of each call where two have one id', async () => {
    const called = (name: string, args: unknown) => ({ id: 'call_1', name, args })
    const content = [
      { type: 'tool_call', ...called('', 'oops') },
      { type: 'tool_call', ...called('refund', { order: 7 }) },
    ]
    const said = { content_blocks: content, response_metadata: { output_version: 'v1' } }
    const lists = {
      tool_calls: [called('refund', { order: 7 })],
      invalid_tool_calls: [{ ...called('', 'oops'), error: 'Malformed args.' }],
    }
    const history = [{ type: 'human', content: 'Refund order 7.' }, { type: 'ai', ...said, ...lists }, result('call_1')]
    const after = healed(translator, history)
    expect(await outcomeOf(translator, after)).toBe('accepted')
    expect(JSON.stringify(after)).toContain('oops')
  })
})

const accepted = (translator: Translator, history: History): Promise<string> =>
  outcomeOf(translator, healed(translator, history))

import { beforeAll, describe, expect, test, vi } from 'vitest'
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

const entry = (id: string, args: unknown) => ({ id, type: 'function', function: { name: 'refund', arguments: args } })
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

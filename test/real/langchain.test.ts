import { inspect } from 'node:util'
import { load } from '@langchain/core/load'
import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  coerceMessageLikeToMessage,
  FunctionMessage,
  filterMessages,
  getBufferString,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  mergeMessageRuns,
  RemoveMessage,
  type StoredMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { check, detect, heal, repair } from '../../src/index.ts'
import { history, validHistory } from '../laws/history.ts'

const ask = new HumanMessage('What is the weather in Lisbon and in Porto?')
const calls = new AIMessage({
  content: '',
  id: 'run-1',
  tool_calls: [
    { name: 'weather', args: { city: 'Lisbon' }, id: 'call_1', type: 'tool_call' },
    { name: 'weather', args: { city: 'Porto' }, id: 'call_2', type: 'tool_call' },
  ],
})
const lisbon = new ToolMessage({ content: '24 degrees', tool_call_id: 'call_1', artifact: { raw: [24] } })
const porto = new ToolMessage({ content: '21 degrees', tool_call_id: 'call_2', name: 'weather', status: 'success' })
const answer = new AIMessage('24 in Lisbon, 21 in Porto.')
const thanks = new HumanMessage('Thanks')

describe('objects of message classes', () => {
  test('a healthy history comes back as the same array', () => {
    const healthy = [new SystemMessage('Be brief.'), ask, calls, lisbon, porto, answer, thanks]
    expect(detect(healthy)).toBe('langchain')
    expect(heal(healthy)).toBe(healthy)
  })

  test('[NH20] a call that only stands among the invalid ones is left alone, for LangChain does not send it', () => {
    const invalid = [{ name: 'weather', args: '{"city', id: 'call_1', error: 'Malformed args.' }]
    for (const content of ['Let me see.', '']) {
      const history = [ask, new AIMessage({ content, invalid_tool_calls: invalid }), thanks]
      const stored = mapChatMessagesToStoredMessages(history)
      const json = JSON.parse(JSON.stringify(history)) as unknown[]
      for (const form of [history, stored, json] as unknown[][]) {
        expect(repair(form, { for: 'openai' })).toMatchObject({ changed: false, remaining: [] })
        expect(heal(form)).toBe(form)
      }
    }
    const beside = [
      ask,
      new AIMessage({ content: '', tool_calls: calls.tool_calls ?? [], invalid_tool_calls: invalid }),
    ]
    expect(JSON.stringify(heal([...beside, thanks]))).not.toContain('_cut_off')
  })

  test('[NH20] a call among the invalid ones is written into the list where a result answers it, or its provider has it', () => {
    const invalid = [{ name: 'weather', args: '{"city', id: 'call_1', error: 'Malformed args.' }]
    const said = new AIMessage({ content: 'Let me see.', invalid_tool_calls: invalid })
    const [, answered] = heal([ask, said, lisbon, answer]) as AIMessage[]
    expect(answered.tool_calls).toMatchObject([{ id: 'call_1', args: { _cut_off: '{"city' } }])
    const stored = mapChatMessagesToStoredMessages([ask, said, lisbon, answer])
    const [, kept] = mapStoredMessagesToChatMessages(heal(stored)) as AIMessage[]
    expect(kept.tool_calls).toMatchObject([{ id: 'call_1', args: { _cut_off: '{"city' } }])
    // LangChain for Python sends such a call, and names the package of its classes otherwise.
    const python = JSON.parse(
      JSON.stringify([ask, said, thanks]).replaceAll('"langchain_core"', '"langchain","schema"'),
    )
    expect(heal(python)).toHaveLength(4)
    const own = [{ id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{"city' } }]
    const sent = new AIMessage({ content: '', additional_kwargs: { tool_calls: own }, invalid_tool_calls: invalid })
    expect(heal([ask, sent, thanks])).toHaveLength(4)
  })

  test('a placeholder is a ToolMessage, if the history has one to take the class from', () => {
    const healed = heal<unknown[]>([ask, calls, lisbon, thanks])
    expect(healed).toHaveLength(5)
    const [, , first, placeholder] = healed as ToolMessage[]
    expect(first).toBe(lisbon)
    expect(ToolMessage.isInstance(placeholder)).toBe(true)
    expect(placeholder).toBeInstanceOf(ToolMessage)
    expect(placeholder.constructor).toBe(ToolMessage)
    expect(placeholder).toMatchObject({ tool_call_id: 'call_2', name: 'weather', status: 'error', id: undefined })
    expect(placeholder.artifact).toBeUndefined()
    expect(placeholder.text).toContain('[no result] ')
    expect(placeholder.toDict().data).toMatchObject({ tool_call_id: 'call_2', status: 'error' })
  })

  test('otherwise it is one all the same, for every reader', () => {
    const healed = heal<BaseMessage[]>([ask, calls, thanks])
    expect(healed).toHaveLength(5)
    const placeholder = healed[2] as ToolMessage
    expect([BaseMessage, ToolMessage].every(type => type.isInstance(placeholder))).toBe(true)
    expect([AIMessage, HumanMessage].some(type => type.isInstance(placeholder))).toBe(false)
    expect(placeholder).toBeInstanceOf(ToolMessage)
    expect([placeholder.type, placeholder.getType(), placeholder._getType()]).toEqual(['tool', 'tool', 'tool'])
    expect(placeholder).toMatchObject({ tool_call_id: 'call_1', name: 'weather', status: 'error', id: undefined })
    expect(placeholder.text).toContain('[no result] ')
    expect(placeholder.lc_id).toEqual(lisbon.lc_id)
    expect(Object.keys(placeholder).sort()).toEqual(Object.keys(lisbon).sort())
    expect(inspect(placeholder)).toContain('ToolMessage {')
    expect(inspect(placeholder)).toContain('"tool_call_id": "call_1"')
    expect(heal(healed)).toBe(healed)
  })

  test('it goes through everything that takes messages', async () => {
    const healed = heal<BaseMessage[]>([ask, calls, thanks])
    const stored = mapChatMessagesToStoredMessages(healed)
    const loaded = await load<BaseMessage[]>(JSON.stringify(healed))
    for (const again of [mapStoredMessagesToChatMessages(json(stored)), loaded]) {
      expect(again[2].constructor).toBe(ToolMessage)
      expect(again.map(said)).toEqual(healed.map(said))
    }
    const kept = { maxTokens: 2, tokenCounter: (list: BaseMessage[]) => list.length, strategy: 'last' as const }
    expect((await trimMessages(healed, kept)).map(said)).toEqual(healed.slice(-2).map(said))
    expect(filterMessages(healed, { includeTypes: ['tool'] })).toEqual(healed.slice(2, 4))
    expect(mergeMessageRuns(healed).map(said)).toEqual(healed.map(said))
    expect(getBufferString(healed)).toContain('Tool: weather, [no result] ')
  })

  test('it is the same when a later message could lend its class', () => {
    const again = new AIMessage({ content: '', tool_calls: [{ name: 'weather', args: {}, id: 'call_9' }] })
    const early = heal<BaseMessage[]>([ask, calls, thanks])
    const late = heal<BaseMessage[]>([ask, calls, thanks, again, new ToolMessage('rain', 'call_9')])
    expect(late).toHaveLength(7)
    for (const [index, message] of early.entries()) expect(late[index]).toStrictEqual(message)
    expect(late[2].constructor).toBe(early[2].constructor)
  })

  test('a made-up call or question is a message too', async () => {
    const options = { for: 'anthropic', orphans: 'revive' } as const
    const healed = heal<BaseMessage[]>([lisbon], options)
    expect(healed.map(({ type }) => type)).toEqual(['human', 'ai', 'tool'])
    const [question, call] = healed as [HumanMessage, AIMessage]
    expect([HumanMessage.isInstance(question), AIMessage.isInstance(call)]).toEqual([true, true])
    expect(call.tool_calls).toMatchObject([{ id: 'call_1' }])
    expect(call.contentBlocks).toContainEqual(expect.objectContaining({ type: 'tool_call', id: 'call_1' }))
    const loaded = await load<BaseMessage[]>(JSON.stringify(healed))
    expect(loaded.map(message => message.constructor)).toEqual([HumanMessage, AIMessage, ToolMessage])
    expect(loaded.map(said)).toEqual(healed.map(said))
  })

  test('the result of a function call is a FunctionMessage', async () => {
    const call = { name: 'weather', arguments: '{"city":"Lisbon"}' }
    const old = new AIMessage({ content: '', additional_kwargs: { function_call: call } })
    const ran = new FunctionMessage({ content: '24 degrees', name: 'weather' })
    const healthy = [ask, old, ran, answer]
    expect(heal(healthy, { for: 'anthropic' })).toBe(healthy)
    const placeholder = heal<BaseMessage[]>([ask, old])[2]
    expect(FunctionMessage.isInstance(placeholder)).toBe(true)
    const [again] = mapStoredMessagesToChatMessages(json(mapChatMessagesToStoredMessages([placeholder])))
    expect(again.constructor).toBe(FunctionMessage)
    expect(again.name).toBe('weather')
  })

  test('content that was given as blocks is read in every form', async () => {
    const blocks = new AIMessage({ contentBlocks: [{ type: 'text', text: 'the answer is 42' }] })
    const healthy = [ask, blocks, thanks]
    const forms = [healthy, json(healthy), json(mapChatMessagesToStoredMessages(healthy))]
    for (const form of forms) for (const reader of readers) expect(heal(form, { for: reader })).toBe(form)
  })

  test('blocks and calls of one message change together, and load as they are', async () => {
    const spoken = { type: 'tool_call' as const, id: 'a call', name: 'weather', args: {} }
    const blocks = new AIMessage({ contentBlocks: [{ type: 'text', text: 'Looking.' }, spoken] })
    const open = [ask, blocks, new ToolMessage('rain', 'a call')]
    for (const form of [open, json(open)]) {
      const healed = heal<BaseMessage[]>(form, { for: 'anthropic' })
      const call = await load<AIMessage>(JSON.stringify(healed[1]))
      const id = expect.stringMatching(/^call_\w+$/)
      expect(call.contentBlocks).toEqual([
        { type: 'text', text: 'Looking.' },
        { ...spoken, id },
      ])
      expect(call.tool_calls).toMatchObject([{ id, name: 'weather' }])
      expect(call.text).toBe('Looking.')
    }
    const [, now] = heal<BaseMessage[]>(open, { for: 'anthropic' }) as [unknown, AIMessage]
    expect(now.contentBlocks.map(block => (block as { id?: string }).id)).toContain(now.tool_calls?.[0].id)
    expect(now.lc_kwargs.contentBlocks).toBeUndefined()
  })

  test('a changed message is a new object of its class, and the old one is as it was', () => {
    const numbered = new AIMessage({ content: 'Let me look.', id: 'run-2' })
    Object.assign(numbered, { usage_metadata: usage })
    numbered.tool_calls = [{ name: 'weather', args: {}, id: 'a call', type: 'tool_call' }]
    numbered.additional_kwargs = { tool_calls: [rawCall('a call', 'weather', '{}')], kept: true }
    const before = JSON.stringify(numbered)
    const result = new ToolMessage('rain', 'a call')
    const [, call, ran] = heal<unknown[]>([ask, numbered, result], { for: 'anthropic' }) as [
      unknown,
      AIMessage,
      ToolMessage,
    ]
    expect(JSON.stringify(numbered)).toBe(before)
    expect(call).not.toBe(numbered)
    expect(call).toBeInstanceOf(AIMessage)
    expect(call.tool_calls?.[0].id).toMatch(/^call_\w+$/)
    expect(ran.tool_call_id).toBe(call.tool_calls?.[0].id)
    expect(call).toMatchObject({ id: 'run-2', usage_metadata: usage, additional_kwargs: { kept: true } })
    expect(call.additional_kwargs.tool_calls).toBeUndefined()
    expect(call.toJSON()).toMatchObject({ kwargs: { tool_calls: call.tool_calls } })
    expect(call.lc_kwargs.tool_calls).toBe(call.tool_calls)
  })

  test('a call whose arguments could not be read becomes one that can be sent', async () => {
    const cut = new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ name: 'weather', args: '{"city":"Lis', id: 'call_1', index: 0, type: 'tool_call_chunk' }],
    })
    cut.tool_calls = []
    cut.invalid_tool_calls = [{ name: 'weather', args: '{"city":"Lis', id: 'call_1', error: 'Malformed args.' }]
    const [, repaired] = heal<unknown[]>([ask, cut, lisbon]) as [unknown, AIMessageChunk]
    expect(repaired).toBeInstanceOf(AIMessageChunk)
    expect(repaired.invalid_tool_calls).toEqual([])
    expect(repaired.tool_calls).toMatchObject([{ name: 'weather', args: { _cut_off: '{"city":"Lis' }, id: 'call_1' }])
    const loaded = await load<AIMessageChunk>(JSON.stringify(repaired))
    expect(loaded.tool_calls).toEqual(repaired.tool_calls)
  })

  test('blocks of content that stand for a call change and go with it', () => {
    const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { q: 1 } })
    const blocks = new AIMessage({
      content: [{ type: 'text', text: 'Looking.' }, use('same', 'find'), use('same', 'read')],
      tool_calls: ['find', 'read'].map(name => ({ name, args: { q: 1 }, id: 'same', type: 'tool_call' as const })),
      response_metadata: { model_provider: 'anthropic' },
    })
    const results = ['found', 'read'].map(content => new ToolMessage({ content, tool_call_id: 'same' }))
    const [, healed] = heal<unknown[]>([ask, blocks, ...results]) as [unknown, AIMessage]
    const ids = healed.tool_calls?.map(call => call.id)
    expect(new Set(ids).size).toBe(2)
    expect((healed.content as { id?: string }[]).slice(1).map(({ id }) => id)).toEqual(ids)
    expect(healed.contentBlocks.flatMap(block => (block.type === 'tool_call' ? [block.id] : []))).toEqual(ids)
  })

  test('a message that removes another stays as it is and where it is', () => {
    const remove = new RemoveMessage({ id: 'run-1' })
    const mixed = [ask, calls, lisbon, porto, remove, answer]
    expect(heal(mixed)).toBe(mixed)
    expect(check(mixed)).toEqual([])
    const healed = heal([ask, calls, remove, lisbon, answer])
    expect(healed).toHaveLength(6)
    expect(healed.filter(message => RemoveMessage.isInstance(message))).toEqual([remove])
  })

  test('messages that are written by their role may stand among them', () => {
    const mixed = [{ role: 'user', content: 'hi' }, calls, { role: 'tool', tool_call_id: 'call_1', content: 'sunny' }]
    const healed = heal<unknown[]>(mixed)
    expect(healed.slice(0, 3)).toEqual(mixed)
    expect(ToolMessage.isInstance(coerceMessageLikeToMessage(healed[3] as never))).toBe(true)
  })
})

describe('broken histories', () => {
  const seeds = Array.from({ length: 200 }, (_, index) => 2 * index)

  /** The constructors warn of calls that stand only where a provider has put them. */
  beforeAll(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  })

  test('objects heal to objects of the same classes', () => {
    let changed = 0
    for (const seed of seeds) {
      const messages = instances(history('langchain', seed).messages)
      const healed = heal<readonly unknown[]>(messages)
      changed += Number(healed !== messages && healed.some(message => !messages.includes(message as BaseMessage)))
      expect(healed.every(BaseMessage.isInstance), `seed ${seed}`).toBe(true)
      expect(faults(healed as readonly BaseMessage[]), `seed ${seed}`).toEqual([])
    }
    expect(changed).toBeGreaterThan(80)
  })

  test('objects, and what they are as JSON, heal alike', async () => {
    for (const seed of seeds) {
      const messages = instances(history('langchain', seed).messages)
      const healed = heal<readonly BaseMessage[]>(messages)
      const stored = heal(messages.map(message => json(message.toDict())))
      const written = heal(messages.map(message => json(message.toJSON())))
      const loaded = await Promise.all(written.map(message => load<BaseMessage>(JSON.stringify(message))))
      expect(restore(stored).map(said), `seed ${seed}`).toEqual(healed.map(said))
      expect(loaded.map(said), `seed ${seed}`).toEqual(healed.map(said))
    }
  })

  test('what was healed goes through every store and needs no healing again', async () => {
    for (const seed of seeds) {
      const messages = instances(history('langchain', seed).messages)
      const healed = heal<readonly BaseMessage[]>(messages)
      const stored = restore(healed.map(message => json(message.toDict())))
      const loaded = await Promise.all(healed.map(message => load<BaseMessage>(JSON.stringify(message))))
      for (const again of [stored, loaded]) {
        expect(again.map(said), `seed ${seed}`).toEqual(healed.map(said))
        expect(repair(again).changed, `seed ${seed}`).toBe(false)
      }
    }
  })

  test('flat messages heal to what the library takes', () => {
    for (const seed of seeds) {
      const messages = instances(history('langchain', seed).messages).map(message => flat(message))
      expect(faults((heal(messages) as never[]).map(coerceMessageLikeToMessage)), `seed ${seed}`).toEqual([])
    }
  })

  test('a valid history comes back as the same array', () => {
    for (const seed of seeds) {
      const messages = instances(validHistory('langchain', seed).messages)
      expect(heal(messages), `seed ${seed}`).toBe(messages)
    }
  })
})

const readers = ['anthropic', 'openai', 'mistral', 'gemini', 'lenient'] as const

const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }

const rawCall = (id: string, name: string, text: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
})

type Fields = Record<string, unknown>

// biome-ignore lint/suspicious/noExplicitAny: the caller knows what it is
const json = (value: unknown): any => JSON.parse(JSON.stringify(value))

/** The messages of a translated history that the library can make an object of, frozen. */
function instances(messages: readonly unknown[]): BaseMessage[] {
  return messages.flatMap(message => {
    const fields = unwrap(message)
    if (!fields) return []
    if (!('contentBlocks' in fields) && (fields.content === undefined || fields.content === null)) fields.content = ''
    const made = coerceMessageLikeToMessage(structuredClone(fields) as never)
    return [deepFreeze(made)]
  })
}

function unwrap(message: unknown): Fields | undefined {
  const { type, data, lc, id, kwargs, ...rest } = (message ?? {}) as Fields
  const name = lc === 1 && Array.isArray(id) ? String(id.at(-1)) : String(type)
  const known = types.find(([pattern]) => pattern.test(name))?.[1]
  const { content_blocks, ...others } = (kwargs ?? data ?? { ...rest, id }) as Fields
  const fields: Fields = content_blocks === undefined ? others : { ...others, contentBlocks: content_blocks }
  if (known === undefined || (known === 'tool' && typeof fields.tool_call_id !== 'string')) return undefined
  const isList = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isFields))
  return isList(fields.tool_calls) && isList(fields.invalid_tool_calls) ? { ...fields, type: known } : undefined
}

/** The library stores content that was given as blocks under a name that it does not read again. */
function restore(stored: readonly StoredMessage[]): BaseMessage[] {
  const read = stored.map(({ type, data }) => {
    const { content_blocks: blocks, ...rest } = data as unknown as Fields
    return { type, data: blocks === undefined ? data : { content: blocks, ...rest } } as StoredMessage
  })
  return mapStoredMessagesToChatMessages(read)
}

const isFields = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const types: [RegExp, string][] = [
  [/^(human|HumanMessage)/, 'human'],
  [/^(ai|AIMessage)/, 'ai'],
  [/^(system|SystemMessage)/, 'system'],
  [/^(tool|ToolMessage)/, 'tool'],
]

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}

/** A message as LangGraph's server sends it. */
function flat({ type, content, ...rest }: BaseMessage): Fields {
  const { tool_calls, invalid_tool_calls, tool_call_id, status, additional_kwargs } = rest as Fields
  return json({ type, content, tool_calls, invalid_tool_calls, tool_call_id, status, additional_kwargs })
}

/** What a message says, without what marks the object. */
function said(message: BaseMessage): Fields {
  const { tool_calls, invalid_tool_calls, tool_call_id, status } = message as unknown as Fields
  const { type, content, additional_kwargs } = message
  return json({ type, content, tool_calls, invalid_tool_calls, tool_call_id, status, additional_kwargs })
}

/** The calls that the results after them do not answer, each once, and the results that answer none of them. */
function faults(messages: readonly BaseMessage[]): string[] {
  const found: string[] = []
  let open: (string | undefined)[] = []
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      const at = open.indexOf(message.tool_call_id)
      if (at < 0) found.push(`result ${message.tool_call_id} answers no call`)
      else open = open.toSpliced(at, 1)
      continue
    }
    for (const id of open) found.push(`call ${id} has no result`)
    open = AIMessage.isInstance(message) ? callIds(message) : []
  }
  return [...found, ...open.map(id => `call ${id} has no result`)]
}

/** The calls that a provider would be sent. */
function callIds({ tool_calls = [], content, additional_kwargs }: AIMessage): (string | undefined)[] {
  if (tool_calls.length > 0) return tool_calls.map(({ id }) => id)
  if (additional_kwargs.tool_calls) return additional_kwargs.tool_calls.map(({ id }) => id)
  const blocks = (Array.isArray(content) ? content : []) as Fields[]
  const ids = blocks.map(block => (/^(tool_use|tool_call)$/.test(String(block?.type)) ? block.id : block?.call_id))
  return ids.filter(id => id !== undefined) as string[]
}

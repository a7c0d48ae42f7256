import { beforeAll, describe, expect, test, vi } from 'vitest'
import { keepQuiet } from './quiet.ts'
import { healed, outcomeOf, translators } from './trial.ts'

beforeAll(() => {
  keepQuiet(vi.spyOn(console, 'warn'))
})

const picture = 'data:image/png;base64,iVBORw0KGgo='
const said = { type: 'text', text: 'Done.' }

const compacted = (options: string) => ({
  type: 'custom',
  kind: 'openai.compaction',
  [options]: { openai: { itemId: 'cmp_1', encryptedContent: 'ZW5j' } },
})
const sketched = (key: string) => ({ type: 'reasoning-file', [key]: picture, mediaType: 'image/png' })
const thought = (options: string) => ({
  type: 'reasoning',
  text: 'hm',
  [options]: { anthropic: { signature: 'Eq' } },
})

describe.each(translators.filter(({ format }) => format === 'ai-sdk' || format === 'ai-sdk-ui'))(
  '$name',
  translator => {
    const isChat = translator.format === 'ai-sdk-ui'
    const options = isChat ? 'providerMetadata' : 'providerOptions'
    const key = isChat ? 'url' : 'data'
    const message = (role: string, ...parts: object[]) => ({
      ...(isChat && { id: `${role}-${parts.length}` }),
      role,
      [isChat ? 'parts' : 'content']: parts,
    })
    const ask = message('user', { type: 'text', text: 'Refund order 7.' })
    const next = message('user', { type: 'text', text: 'And order 8?' }, { type: 'text', text: 'And 9?' })

    test.each([
      ['an item of another provider', [compacted(options)]],
      ['a file of reasoning', [sketched(key)]],
      ['text and an item of another provider', [said, compacted(options)]],
      ['text and a file of reasoning', [said, sketched(key)]],
      ['reasoning and an item of another provider', [thought(options), compacted(options)]],
      ['reasoning and a file of reasoning', [thought(options), sketched(key)]],
    ])('[NH34] sends what its provider accepts of a message with %s', async (_, parts) => {
      for (const history of [
        [ask, message('assistant', ...parts), next],
        [ask, message('assistant', ...parts)],
      ]) {
        const after = healed(translator, history)
        expect(await outcomeOf(translator, after)).toBe('accepted')
        expect(healed(translator, after)).toBe(after)
      }
    })
  },
)

const stores = ['openai', 'anthropic', 'google', 'bedrock', 'mistral']
const json = (result: number) => ({ type: 'json', value: { result } })
const own: Record<string, string> = {
  ...{ openai: 'openai', 'openai-responses': 'openai', anthropic: 'anthropic', gemini: 'google' },
}

describe.each(translators.filter(({ format }) => format === 'ai-sdk' || format === 'ai-sdk-ui'))(
  '$name',
  translator => {
    const isChat = translator.format === 'ai-sdk-ui'
    const message = (role: string, ...parts: object[]) => ({
      ...(isChat && { id: `${role}-${parts.length}` }),
      role,
      [isChat ? 'parts' : 'content']: parts,
    })
    const kinds = { type: 'file', mediaType: 'application/pdf', filename: 'order.pdf' }
    const storedAt = (...names: string[]) => {
      const reference = Object.fromEntries(names.map(name => [name, 'file-1']))
      if (isChat) return [{ ...kinds, url: '', providerReference: reference }]
      return [
        { ...kinds, data: { type: 'reference', reference } },
        { ...kinds, data: reference },
      ]
    }
    const ask = { type: 'text', text: 'Refund this.' }

    test.each(stores)('[NH700] sends a text in place of a file that only another provider stores: %s', async name => {
      const isOwn = own[translator.dialect] === name
      for (const file of storedAt(name)) {
        const history = [message('user', ask, file)]
        const after = healed(translator, history)
        expect(await outcomeOf(translator, after)).toBe('accepted')
        expect(healed(translator, after)).toBe(after)
        if (isOwn) expect(after).toBe(history)
        else expect(JSON.stringify(after)).toContain(`[file left out: it is stored at ${name}]`)
        const turns = [message('user', ask), message('assistant', said, file), message('user', ask, ask)]
        expect(await outcomeOf(translator, healed(translator, turns))).toBe('accepted')
      }
    })

    test.each([1, 2])('[NH701] sends a call that its provider ran once: its second result is %i', async second => {
      const called = { toolCallId: 'ws_1', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true }
      const found = (result: number) =>
        isChat
          ? [{ type: 'tool-web_search', ...called, state: 'output-available', output: { result } }]
          : [
              { type: 'tool-call', ...called },
              { ...{ type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search' }, output: json(result) },
            ]
      const history = [message('user', ask), message('assistant', ...found(1), ...found(second), said)]
      const after = healed(translator, [...history, message('user', ask, ask)])
      expect(await outcomeOf(translator, after)).toBe('accepted')
      expect(healed(translator, after)).toBe(after)
      if (translator.dialect === 'openai-responses')
        expect(after[1]).toMatchObject({ [isChat ? 'parts' : 'content']: [...found(1), said] })
    })

    test.each([
      ['a search of the provider', 'ws_1'],
      ['reasoning and its text', 'rs_1'],
      ['reasoning before other words', 'rs_2'],
    ])('[NH703] sends an item that OpenAI stores once, if a later message has it again: %s', async (_, id) => {
      const options = isChat ? 'providerMetadata' : 'providerOptions'
      const item = (itemId: string) => ({ [options]: { openai: { itemId } } })
      const called = { toolCallId: 'ws_1', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true }
      const search = isChat
        ? [{ type: 'tool-web_search', ...called, state: 'output-available', output: { result: 1 } }]
        : [
            { type: 'tool-call', ...called },
            { ...{ type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search' }, output: json(1) },
          ]
      const thought = { type: 'reasoning', text: 'hm', ...item('rs_1') }
      const first = id === 'ws_1' ? [...search, said] : [thought, { ...said, ...item('msg_1') }]
      const second = id === 'rs_2' ? [thought, { type: 'text', text: 'Else.', ...item('msg_1') }] : first
      const turns = [message('user', ask), message('assistant', ...first), message('user', ask, ask)]
      const history = [...turns, message('assistant', ...second), message('user', ask, ask, ask)]
      const after = healed(translator, history)
      expect(await outcomeOf(translator, after)).toBe('accepted')
      expect(healed(translator, after)).toBe(after)
      if (translator.dialect !== 'openai-responses') return
      expect(await outcomeOf(translator, history)).toMatch(/Duplicate item found with id (ws|rs)_1/)
      expect(after.slice(0, 3)).toEqual(turns)
      const key = isChat ? 'parts' : 'content'
      if (id === 'rs_2')
        expect(after[3]).toMatchObject({ [key]: [{ type: 'text', text: 'Else.', [options]: { openai: {} } }] })
      else if (id === 'ws_1') expect(after[3]).toMatchObject({ [key]: [said] })
      else expect(after).toHaveLength(4)
      expect(JSON.stringify(after.slice(3))).not.toMatch(/ws_1|rs_1|msg_1/)
    })

    test.each(isChat ? [] : stores)(
      '[NH702] sends a text in place of a file of a result that only %s stores',
      async name => {
        const isOwn = own[translator.dialect] === name
        const reference = { [name]: 'file-1' }
        for (const file of [
          { ...kinds, data: { type: 'reference', reference } },
          { type: 'file-reference', providerReference: reference },
          { type: 'image-file-id', fileId: reference },
        ]) {
          const call = { type: 'tool-call', toolCallId: 'refund001', toolName: 'read', input: {} }
          const value = [{ type: 'text', text: 'The order:' }, file]
          const result = {
            type: 'tool-result',
            toolCallId: 'refund001',
            toolName: 'read',
            output: { type: 'content', value },
          }
          const history = [message('user', ask), message('assistant', call), message('tool', result)]
          const was = await outcomeOf(translator, history)
          const after = healed(translator, history)
          expect(await outcomeOf(translator, after)).toBe('accepted')
          expect(healed(translator, after)).toBe(after)
          if (was === 'accepted') expect(after).toBe(history)
          else expect(JSON.stringify(after)).toContain(`[file left out: it is stored at ${name}]`)
          if (isOwn) expect(was).toBe('accepted')
        }
      },
    )

    test.each([0, 70])(
      '[NH704] sends no call that its provider cannot have run: its id has %i characters',
      async length => {
        const called = { toolCallId: 'x'.repeat(length), toolName: 'read', input: {}, providerExecuted: true }
        const item = { openai: { itemId: 'fc_1' } }
        const answer = { type: 'tool-approval-response', approvalId: 'a1', approved: false }
        const parts = isChat
          ? [
              {
                ...{ type: 'tool-read', ...called, callProviderMetadata: item, state: 'approval-responded' },
                approval: { id: 'a1', approved: false },
              },
            ]
          : [
              { type: 'tool-call', ...called, providerOptions: item },
              { type: 'tool-approval-request', approvalId: 'a1', toolCallId: called.toolCallId },
            ]
        const history = [message('user', ask), message('assistant', said, ...parts)]
        const after = healed(translator, isChat ? history : [...history, message('tool', answer)])
        expect(await outcomeOf(translator, after)).toBe('accepted')
      },
    )

    const ownStores = stores.filter(name => name === own[translator.dialect])
    test.each(ownStores)('[NH700] sends a file that its own provider stores too: %s', name => {
      for (const file of storedAt('elsewhere', name)) {
        const history = [message('user', ask, file)]
        expect(healed(translator, history)).toBe(history)
      }
    })

    test.each(isChat ? ['image/png'] : [])(
      '[NH700] sends the URL of a file that only another provider stores: %s',
      async mediaType => {
        const seen = { ...kinds, mediaType, url: picture }
        const history = [message('user', ask, { ...seen, providerReference: { elsewhere: 'file-1' } })]
        const after = healed(translator, history)
        expect(after).toEqual([message('user', ask, seen)])
        expect(await outcomeOf(translator, after)).toBe('accepted')
      },
    )
  },
)

describe.each(translators.filter(({ format }) => format === 'langchain'))('$name', translator => {
  test.each([
    ['an image without anything', { type: 'image', summary: 'x' }],
    ['a file without anything', { type: 'file', mimeType: 'application/pdf' }],
    ['a block of an unknown type', { type: 'null', image_url: { url: 'https://example.test/1.png' } }],
    ['a block of another list', { type: 'image_url', image_url: { url: 'https://example.test/1.png' } }],
    ['a video', { type: 'video', url: 'https://example.test/1.mp4' }],
    ['an item of another provider', { type: 'non_standard', value: { type: 'server_tool_use', id: 'x' } }],
    ['a sound', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
  ])("[NH26] sends what its provider accepts where a list of LangChain's own blocks has %s", async (_, block) => {
    for (const content_blocks of [[block], [said, block]])
      for (const after of [[], [{ type: 'human', content: 'And order 8?' }]]) {
        const answer = { type: 'ai', content_blocks, response_metadata: { output_version: 'v1' } }
        const history = [{ type: 'human', content: 'Refund order 7.' }, answer, ...after]
        expect(await outcomeOf(translator, healed(translator, history))).toBe('accepted')
      }
  })
})

describe.each(translators.filter(({ format }) => format === 'ai-sdk-ui'))('$name', translator => {
  const approved = (toolCallId: string, query: string) => ({
    ...{ type: 'tool-bash', toolCallId, input: { query }, state: 'approval-responded' },
    approval: { id: `ap-${query}`, approved: true },
  })

  test.each(['call_1', 'srvtoolu_1', 'ws_1'])(
    '[NH35] gives approved calls that share an id different ids before they run: %s',
    async id => {
      const history = [
        { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Refund order 7.' }] },
        { id: 'a1', role: 'assistant', parts: [approved(id, 'a'), approved(id, 'b')] },
      ]
      const after = healed(translator, history)
      expect(await outcomeOf(translator, after)).toBe('accepted')
      expect((after[1] as (typeof history)[1]).parts).toHaveLength(2)
    },
  )
})

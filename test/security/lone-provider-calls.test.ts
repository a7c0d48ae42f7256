import { expect, test } from 'vitest'
import { check, heal, repair } from '../../src/index.ts'

const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'cats' } }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'https://example.com' }] }
const own = { type: 'server_tool_call', id: 'srvtoolu_1', name: 'web_search', args: { query: 'cats' } }
const ownFound = { type: 'server_tool_call_result', toolCallId: 'srvtoolu_1', status: 'success', output: [] }
const pythonFound = { type: 'server_tool_result', tool_call_id: 'srvtoolu_1', status: 'success', output: [] }
const said = { type: 'text', text: 'I looked.' }
const call = { id: 'toolu_1', name: 'look', args: {}, type: 'tool_call' }
const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const human = (content: string) => ({ type: 'human', content })
const options = { format: 'langchain', for: 'anthropic', onRepair: () => {} } as const

test.each([
  ['call', search],
  ['result', found],
  ["call in LangChain's own form", own],
  ["result in LangChain's own form", ownFound],
])('[SE403] a lone %s of the provider in a LangChain message is removed and reported', (_, block) => {
  const history = [human('Go.'), { type: 'ai', content: [said, block] }, human('Next.')]
  const { messages, repairs, remaining } = repair(history, options)
  expect(messages).toEqual([human('Go.'), { type: 'ai', content: [said] }, human('Next.')])
  expect(repairs).toMatchObject([{ rule: 'unpaired-provider-call', at: 'messages[1].content[1]', class: 'lossy' }])
  expect(remaining).toEqual([])
  expect(heal(messages, options)).toBe(messages)
})

test('[SE403] both halves in one turn stay, also with a tool of the client between them, and so does a search in progress', () => {
  const answer = { type: 'tool', tool_call_id: 'toolu_1', name: 'look', content: 'A cat.' }
  for (const history of [
    [human('Go.'), { type: 'ai', content: [search, found, said] }, human('Next.')],
    [human('Go.'), { type: 'ai', content: [own, ownFound, said] }, human('Next.')],
    [human('Go.'), { type: 'ai', content: [own, pythonFound, said] }, human('Next.')],
    [human('Go.'), { type: 'ai', content: [own, ownFound, ownFound, said] }, human('Next.')],
    [
      human('Go.'),
      { type: 'ai', content: [search, use], tool_calls: [call] },
      answer,
      { type: 'ai', content: [found, said] },
    ],
    [human('Go.'), { type: 'ai', content: [search, use], tool_calls: [call] }, answer],
  ])
    expect(heal(history, options)).toBe(history)
})

test('[SE403] a lone half that may not be removed stays as it is while the rest is repaired', () => {
  const history = [human('Go.'), { type: 'ai', content: [search, said, use], tool_calls: [call] }, human('Next.')]
  const { messages } = repair(history, { ...options, allow: ['lossless', 'synthetic'] })
  expect(messages[1]).toEqual(history[1])
  expect(messages).toHaveLength(4)
  expect(check(messages, options)).toMatchObject([{ rule: 'unpaired-provider-call' }])
})

test('[SE403] the same holds for messages of Pydantic AI, for what Anthropic ran', () => {
  const kept = { part_kind: 'text', content: 'I looked.' }
  const base = { tool_name: 'web_search', tool_call_id: 'srvtoolu_1', provider_name: 'anthropic' }
  const ran = { ...base, part_kind: 'builtin-tool-call', args: { query: 'cats' } }
  const returned = { ...base, part_kind: 'builtin-tool-return', content: [] }
  const prompt = { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Go.' }] }
  const within = (...parts: readonly object[]) => [prompt, { kind: 'response', parts }, prompt]
  const reading = { format: 'pydantic-ai', for: 'anthropic', onRepair: () => {} } as const
  for (const half of [ran, returned]) {
    const { messages, repairs } = repair(within(half, kept), reading)
    expect(messages).toEqual(within(kept))
    expect(repairs).toMatchObject([{ rule: 'unpaired-provider-call', at: 'messages[1].parts[0]' }])
  }
  for (const history of [within(ran, returned, kept), within({ ...ran, provider_name: 'openai' }, kept)])
    expect(heal(history, reading)).toBe(history)
})

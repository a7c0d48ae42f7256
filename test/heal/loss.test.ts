import { describe, expect, test, vi } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { heal, repair } from '../../src/index.ts'
import { placeholders } from '../laws/corruptions.ts'
import { history } from '../laws/history.ts'
import { codecIds, readersOf } from '../laws/try-laws.ts'
import { leaves, lost, missing } from '../oracle/loss.ts'
import { seedsOf, triesAll } from '../sample.ts'

/** Odd seeds are free-form lists, even ones corrupted conversations: together every kind of damage that the laws know. */
const seeds = seedsOf(30, 15)

/** Results that say something: the generator's placeholders do not. */
const isReal = (text: string): boolean => !placeholders.includes(text) && !text.startsWith('[no result] ')

const realLost = (before: unknown[], after: unknown[], format: CodecId): string[] =>
  lost(before, after, format).results.filter(isReal)

describe.each(codecIds)('%s', format => {
  test.each(readersOf(format))('[NL1] every real result is in the output or in the report, for %s', reader => {
    let broken = 0
    for (const seed of seeds) {
      const { messages } = history(format, 7_000_000 + seed)
      const { messages: healed, repairs, changed } = repair(messages, { format, for: reader })
      if (changed) broken++
      const told = leaves(repairs.filter(entry => entry.class === 'lossy').map(({ edits }) => edits))
      expect([...missing(realLost(messages, healed as unknown[], format), told)], `seed ${seed}`).toEqual([])
    }
    expect(broken).toBeGreaterThan(seeds.length / (triesAll ? 3 : 4))
  })
})

describe('content that a repair drops', () => {
  const orphan = { role: 'tool', tool_call_id: 'call_9', content: 'refunded 89 EUR' }
  const question = { role: 'user', content: 'Refund order 17.' }

  test('[NL2] a result without a call is kept by default, as text of a tool', () => {
    const healed = heal([question, orphan, { role: 'assistant', content: 'Done.' }])
    expect(healed).toContain(orphan)
    expect(JSON.stringify(healed.filter(({ role }) => role !== 'tool'))).not.toContain('89 EUR')
  })

  /** Everything that heals without handing back a report, freshly loaded: a process warns only once of a rule. */
  const silent: [string, (history: object[]) => Promise<unknown>][] = [
    ['heal', async messages => (await import('../../src/index.ts')).heal(messages, { orphans: 'drop' })],
    [
      'heal of one format',
      async messages => (await import('../../src/heal/formats/openai-chat.ts')).heal(messages, { orphans: 'drop' }),
    ],
    [
      'convert',
      async messages => (await import('../../src/index.ts')).convert(messages, { to: 'anthropic', orphans: 'drop' }),
    ],
    [
      'trim',
      async messages => (await import('../../src/index.ts')).trim(messages, { maxMessages: 9, orphans: 'drop' }),
    ],
    [
      'createHealer',
      async messages => {
        const healer = (await import('../../src/index.ts')).createHealer({ orphans: 'drop' })
        healer.push(...messages)
        return healer.history
      },
    ],
    [
      'healFetch',
      async messages => {
        const send = async (): Promise<Response> => new Response('{}')
        const fetch = (await import('../../src/integrations/fetch/index.ts')).healFetch({
          orphans: 'drop',
          fetch: send,
        })
        const body = JSON.stringify({ model: 'gpt-5.5', messages })
        return fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body })
      },
    ],
  ]

  test.each(silent)('[NL3] is one process warning per rule if no listener is set: %s', async (_, run) => {
    vi.resetModules()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    try {
      await run([question, orphan])
      await run([question, orphan])
      expect(warn.mock.calls.map(([words]) => String(words))).toEqual([
        expect.stringMatching(/orphan-result at messages\[1\].* Pass onRepair /),
      ])
    } finally {
      warn.mockRestore()
    }
  })

  const beside: [string, object][] = [
    ['a list', { images: [{ type: 'image_url', image_url: { url: 'https://example.test/a.png' } }] }],
    ['reasoning details', { reasoning_details: [{ type: 'reasoning.text', text: 'so' }] }],
    ['a record', { tool_call: { id: 'c1', name: 'refund', arguments: '{"eur":89}' } }],
    ['a text', { output: 'refunded 89 EUR' }],
  ]

  test.each(beside)(
    '[NL10] a message without content that says something in other fields is kept, or reported: %s',
    (_, fields) => {
      const last = { role: 'user', content: 'And now?' }
      for (const format of ['openai-chat', 'ag-ui'] as const)
        for (const reader of readersOf(format)) {
          const history = [question, { role: 'assistant', content: null, ...fields }, last].map((message, index) =>
            format === 'ag-ui' ? { id: `m${index}`, ...message } : message,
          )
          const { messages, repairs } = repair(history, { format, for: reader })
          const told = repairs.filter(entry => entry.class === 'lossy').map(({ edits }) => edits)
          expect(JSON.stringify([messages, told]), reader).toContain(JSON.stringify(Object.values(fields)[0]))
        }
      const sent = repair([question, { role: 'assistant', content: null, ...fields }, last], { format: 'openai-chat' })
      expect(sent.messages).toEqual([question, { role: 'assistant', content: '', ...fields }, last])
    },
  )

  const text = (words: string) => [{ type: 'text', text: words }]
  /** What the user says, and messages of the assistant without words, in each format. */
  const wordless: Record<CodecId, { user: (words: string) => object; empty: object[] }> = {
    'openai-chat': {
      user: content => ({ role: 'user', content }),
      empty: [{ content: null }, { content: text('') }].map(said => ({ role: 'assistant', ...said })),
    },
    'ag-ui': {
      user: content => ({ id: content, role: 'user', content }),
      empty: [{ id: 'a', role: 'assistant' }],
    },
    anthropic: {
      user: content => ({ role: 'user', content }),
      empty: [[], '', text('')].map(content => ({ role: 'assistant', content })),
    },
    bedrock: {
      user: words => ({ role: 'user', content: [{ text: words }] }),
      empty: [[], [{ text: '' }]].map(content => ({ role: 'assistant', content })),
    },
    gemini: {
      user: words => ({ role: 'user', parts: [{ text: words }] }),
      empty: [[], [{ text: '' }]].map(parts => ({ role: 'model', parts })),
    },
    'ai-sdk': {
      user: content => ({ role: 'user', content }),
      empty: [[], '', text('')].map(content => ({ role: 'assistant', content })),
    },
    'ai-sdk-ui': {
      user: words => ({ id: words, role: 'user', parts: text(words) }),
      empty: [[], [{ type: 'step-start' }], text('')].map(parts => ({ id: 'a', role: 'assistant', parts })),
    },
    langchain: {
      user: content => ({ type: 'human', content }),
      empty: [[], '', text('')].map(content => ({ type: 'ai', content, tool_calls: [] })),
    },
    ollama: {
      user: content => ({ role: 'user', content }),
      empty: [{ content: null }, { content: '' }, { content: text('') }].map(said => ({ role: 'assistant', ...said })),
    },
    'pydantic-ai': {
      user: content => ({ kind: 'request', parts: [{ content, part_kind: 'user-prompt' }] }),
      empty: [[], [{ content: '', part_kind: 'text' }]].map(parts => ({ kind: 'response', parts })),
    },
    'gemini-interactions': {
      user: words => ({ type: 'user_input', content: text(words) }),
      empty: [{}, { content: [] }, { content: text('') }].map(said => ({ type: 'model_output', ...said })),
    },
    'openai-responses': {
      user: content => ({ type: 'message', role: 'user', content }),
      empty: [[], '', [{ type: 'output_text', text: '' }]].map(content => ({
        ...{ type: 'message', role: 'assistant', content },
      })),
    },
  }

  describe.each(codecIds)('%s', format => {
    test.each(beside)(
      '[NL10] a message without text that has content in other fields is kept, or reported: %s',
      (_, fields) => {
        const { user, empty } = wordless[format]
        const kinds = format === 'langchain' ? [fields, { additional_kwargs: fields }] : [fields]
        for (const reader of readersOf(format))
          for (const message of empty)
            for (const more of kinds) {
              const history = [user('Refund order 7.'), { ...message, ...more }, user('And now?')]
              const { messages, repairs } = repair(history, { format, for: reader })
              const told = repairs.filter(entry => entry.class === 'lossy').map(({ edits }) => edits)
              const gone = missing(leaves(Object.values(fields)[0]), leaves([messages, told]))
              expect([...gone], `${reader} ${JSON.stringify(message)}`).toEqual([])
            }
      },
    )
  })

  test('[NL4] over random histories, every rule that dropped something was reported, in the report or in a warning', async () => {
    vi.resetModules()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    try {
      const fresh = await import('../../src/index.ts')
      const dropping = new Set<string>()
      for (const format of codecIds)
        for (const seed of seeds) {
          const { messages } = history(format, 8_000_000 + seed)
          for (const entry of repair(messages, { format }).repairs)
            if (entry.class === 'lossy' || entry.lostFields) dropping.add(entry.rule)
          fresh.heal(messages, { format })
        }
      const told = warn.mock.calls.map(([words]) => /: ([a-z-]+)[, ]/.exec(String(words))?.[1])
      expect(dropping.size).toBeGreaterThan(3)
      expect(told.toSorted()).toEqual([...dropping].toSorted())
    } finally {
      warn.mockRestore()
    }
  })
})

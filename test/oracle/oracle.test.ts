import { describe, expect, test } from 'vitest'
import { absent } from './absent.ts'
import { anthropicCases } from './cases/anthropic.ts'
import { bedrockCases } from './cases/bedrock.ts'
import { assistant, result, text, use, user } from './cases/blocks.ts'
import type { Case, Suite } from './cases/case.ts'
import { a, calls, s, t, u } from './cases/chat.ts'
import { asks, replies, toolResult, toolUse, words } from './cases/converse.ts'
import { geminiCases } from './cases/gemini.ts'
import { geminiInteractionsCases } from './cases/gemini-interactions.ts'
import { deepseekCases, minimaxCases, moonshotCases, otherHostedCases, qwenCases } from './cases/hosted.ts'
import { fc, fco, says } from './cases/items.ts'
import { mistralCases } from './cases/mistral.ts'
import { ollamaCases } from './cases/ollama.ts'
import { openaiCases } from './cases/openai.ts'
import { openaiResponsesCases } from './cases/openai-responses.ts'
import { templateCases } from './cases/templates.ts'
import { translatedCases } from './cases/translated.ts'
import { dialects, type Format, judge } from './judge.ts'
import { lost } from './loss.ts'

const suites: Suite[] = [
  openaiCases,
  openaiResponsesCases,
  anthropicCases,
  ...geminiCases,
  geminiInteractionsCases,
  ...bedrockCases,
  mistralCases,
  ollamaCases,
  ...deepseekCases,
  ...minimaxCases,
  moonshotCases,
  qwenCases,
  ...otherHostedCases,
  ...templateCases,
  ...translatedCases,
]

for (const { dialect, format, cases } of suites)
  describe(`${dialect} in ${format}`, () => {
    for (const example of cases)
      test(title(example), () => {
        expect(facts(example.refused, format, dialect)).toContain(tagged(example.fact, example.pedantic))
        expect(judge(example.accepted, format, dialect)).toEqual([])
      })
  })

describe('every dialect', () => {
  const healthy: Partial<Record<Format, unknown[]>> = {
    'openai-chat': [u(), { ...calls('aaaaaaaaa'), content: 'let me look', reasoning_content: 'hm' }, t('aaaaaaaaa')],
    'openai-responses': [says('user'), says('assistant'), fc('aaaaaaaaa'), fco('aaaaaaaaa')],
    anthropic: [user(text()), assistant(text(), use('aaaaaaaaa')), user(result('aaaaaaaaa'))],
    bedrock: [asks(words()), replies(words(), toolUse('aaaaaaaaa')), asks(toolResult('aaaaaaaaa'))],
  }

  for (const dialect of dialects)
    for (const [format, history] of Object.entries(healthy))
      test(`${dialect} accepts a healthy step in ${format}`, () => {
        expect(judge(history, format as Format, dialect)).toEqual([])
      })

  test('each has its refusals in the table, and lenient has none', () => {
    expect(new Set([...suites.map(({ dialect }) => dialect), 'lenient'])).toEqual(new Set(dialects))
    expect(judge([t('A'), calls('B'), a(''), s(null)], 'openai-chat', 'lenient')).toEqual([])
  })

  test('bears any JSON', () => {
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { role: 7, content: { a: 1 }, tool_calls: [null, {}] },
      { type: 'function_call' },
    ]
    for (const dialect of dialects)
      for (const format of Object.keys(healthy)) expect(judge(odd, format as Format, dialect)).toBeInstanceOf(Array)
  })

  test('an unknown dialect is a mistake of the caller', () => {
    expect(() => judge([], 'openai-chat', 'nobody')).toThrow('nobody')
  })
})

describe('a refusal', () => {
  test('has the words of the provider and the place', () => {
    expect(judge([u(), calls('A', 'B'), u()], 'openai-chat', 'openai')).toEqual([
      {
        fact: 'oc-missing-result',
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: A, B",
        at: 'messages[1]',
        param: 'messages.[2].role',
      },
    ])
    expect(judge([user(text()), user(result('A'))], 'anthropic', 'anthropic')).toEqual([
      {
        fact: 'an-orphan',
        message:
          'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: A. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
        at: 'messages[1].content[0]',
      },
    ])
    expect(judge([says('user'), fc('A')], 'openai-responses', 'openai-responses')).toEqual([
      {
        ...{ fact: 'or-missing-output-fn', message: 'No tool output found for function call A.', at: 'input[1]' },
        param: 'input',
      },
    ])
  })
})

describe('lost', () => {
  test('nothing is lost in what is merged, wrapped or moved', () => {
    const before = [s(), u(' one '), u('two'), calls('A'), t('A', 'sunny')]
    const after = [u('be kind\n\none\n\ntwo'), calls('A'), t('A', 'The tool said: sunny')]
    expect(lost(before, after, 'openai-chat')).toEqual({ texts: [], results: [] })
  })

  test('tells words and results that stand nowhere, each once', () => {
    const before = [u('one'), u('one'), a('two'), u(' '), calls('A'), t('A', 'sunny'), t('A', 'rainy')]
    const after = [a('two'), calls('A'), t('A', 'sunny')]
    expect(lost(before, after, 'openai-chat')).toEqual({ texts: ['one'], results: ['rainy'] })
  })

  test('reads every wire', () => {
    const blocks = [user(text('one')), assistant(text('two'), use('A')), user(result('A', [text('sunny')]))]
    expect(lost(blocks, [], 'anthropic')).toEqual({ texts: ['one', 'two'], results: ['sunny'] })
    const items = [says('user', [{ type: 'input_text', text: 'one' }]), fc('A'), fco('A', 'sunny')]
    expect(lost(items, [], 'openai-responses')).toEqual({ texts: ['one'], results: ['sunny'] })
  })

  test('the search agrees with the plain one', () => {
    let state = 1
    const letter = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return 'abc'[(state >> 16) % 3]
    }
    const word = (length: number) => Array.from({ length }, letter).join('')
    const texts = Array.from({ length: 50 }, (_, index) => word(20 + index))
    const pieces = texts.map((text, index) => text.slice(index % 7, 12 + (index % 9)))
    const needles = new Set([...pieces, ...Array.from({ length: 400 }, (_, index) => word(1 + (index % 33)))])
    const plain = [...needles].filter(needle => !texts.some(text => text.includes(needle)))
    expect(plain.length).toBeGreaterThan(0)
    expect(plain.length).toBeLessThan(needles.size)
    expect([...absent(needles, texts)]).toEqual(plain)
  })
})

const title = ({ fact, name }: Case): string => (name === undefined ? fact : `${fact}: ${name}`)

const tagged = (fact: string, pedantic: boolean | undefined): string => (pedantic ? `${fact}, pedantic` : fact)

const facts = (history: unknown[], format: Format, dialect: string): string[] =>
  judge(history, format, dialect).map(({ fact, pedantic }) => tagged(fact, pedantic))

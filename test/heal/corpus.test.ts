import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CodecId, DialectId } from '../../src/index.ts'
import { detect, heal, repair } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'
import { lost } from '../oracle/loss.ts'
import { files, root } from '../repository.ts'
import { sketch } from '../sketch.ts'

/** A history that broke in the wild, as it was reported. */
interface Case {
  id: string
  format: CodecId
  for: DialectId
  class: string
  messages: unknown[]
  model: string | undefined
  /** Further fields of the request that the refusal depends on. */
  request?: unknown
}

/** The models that refused these, where others of their provider would not have. */
const models: Record<string, string> = {
  'hermes-agent-66587': 'gemini-3-pro-preview',
  'strands-harness-sdk-1223': 'us.meta.llama4-maverick-17b-instruct-v1:0',
}

const cases = files('test/corpus/*.json').map(readCase)
const byId = new Map(cases.map(example => [example.id, example]))

/** What is wrong with these is not in the history, or cannot be brought back: a lost signature, thinking that is switched on. */
const isBeyondHealing = ({ id, request }: Case): boolean => request !== undefined || id === 'CLIProxyAPI-3624'

const healable = cases.filter(example => !isBeyondHealing(example))
const beyond = cases.filter(isBeyondHealing)

describe('every broken history', () => {
  test('[P1] exists, and is in a known format', () => {
    expect(cases.length).toBe(106)
    expect(beyond.map(({ id }) => id)).toEqual(['CLIProxyAPI-3624', 'opencode-3077'])
  })

  test.each(healable)('[P2] is healed, and its provider accepts it: $id', example => {
    const { messages, remaining } = repairCase(example)
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(judge(messages, example.format, example.for).filter(({ pedantic }) => !pedantic)).toEqual([])
    expect(repairCase({ ...example, messages }).messages).toBe(messages)
  })

  test.each(healable)('[P3] loses nothing but what cannot stay: $id', example => {
    const { messages } = repairCase(example)
    expect(lost(example.messages, messages, example.format)).toEqual({ texts: [], results: mustGo[example.id] ?? [] })
  })

  test.each(cases)('[P4] has its format detected: $id', ({ messages, format }) => {
    expect(detect(messages)).toBe(format)
  })
})

describe('a history that is healthy for its provider', () => {
  test('[P5] one that must not be touched comes back as the same reference', () => {
    const guards = cases.filter(example => example.class === 'must-not-touch')
    expect(guards.map(({ id }) => id)).toEqual(['picoclaw-2528', 'vercel-ai-9968'])
    for (const guard of guards) expect(healCase(guard)).toBe(guard.messages)
  })

  test('[P5] only these come back as they are', () => {
    const same = cases.filter(example => healCase(example) === example.messages)
    expect(same.map(({ id }) => id)).toEqual([...takenAsTheyAre, ...healedAfterRejection].sort(alphabetically))
  })

  test.each(healedAfterRejection)(
    '[P20] a broken history that looks like an accepted one is healed after its provider has rejected it: %s',
    id => {
      const { messages, format, for: reader } = find(id)
      const healed = heal(messages, { format, for: reader, cautious: true })
      expect(healed).not.toBe(messages)
      expect(judge(healed, format, reader).filter(({ pedantic }) => !pedantic)).toEqual([])
      expect(lost(messages, healed, format)).toEqual({ texts: [], results: [] })
    },
  )
})

describe('a history that only a change of the request can repair', () => {
  test.each(beyond)('[P6] is healed as far as possible, and loses no text: $id', example => {
    const before = JSON.stringify(example.messages)
    const { messages } = repairCase(example)
    expect(JSON.stringify(repairCase(example).messages)).toBe(JSON.stringify(messages))
    expect(JSON.stringify(example.messages)).toBe(before)
    expect(lost(example.messages, messages, example.format)).toEqual({ texts: [], results: [] })
  })

  test('[P6] a lost signature costs the thinking, and never the calls', () => {
    expect(healed('CLIProxyAPI-3624')).toEqual([
      'user: task',
      'assistant: toolu_k1 + toolu_k2',
      'result toolu_k1: ok | result toolu_k2: ok',
    ])
  })
})

describe('healed', () => {
  test('[P7] a batch is completed in the order of its calls, in one message: letta-3308', () => {
    expect(healed('letta-3308')).toEqual([
      'user: check disk and logs',
      'assistant: functions_Bash_3 + functions_Bash_4 + functions_Bash_5',
      'result functions_Bash_3: ? | result functions_Bash_4: up 3 days | result functions_Bash_5: ?',
      'user: status?',
    ])
  })

  test('[P7] a missing result of the first call is added first: dify-official-plugins-2352', () => {
    expect(healed('dify-official-plugins-2352').slice(2)).toEqual([
      'assistant: call_p1 + call_p2',
      'result call_p1: ?',
      'result call_p2: v2',
    ])
  })

  test('[P8] a turn that was stored twice keeps its text, and its result stays with the later call: zed-44260', () => {
    const [again] = callIds('zed-44260').slice(1)
    expect(again).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(again).not.toBe('toolu_plan')
    expect(healed('zed-44260')).toEqual([
      'user: make a plan',
      'assistant: Here is the plan. + toolu_plan',
      'result toolu_plan: ?',
      'user: change step 2',
      `assistant: Here is the plan. + ${again}`,
      `result ${again}: approved`,
    ])
  })

  test('[P9] a step that was appended to an unfinished one is separated from it: claude-code-15205', () => {
    expect(healed('claude-code-15205')).toEqual([
      'user: do the thing',
      "assistant: (first plan) + I'll run A. + toolu_A",
      'result toolu_A: ?',
      'assistant: (retry after abort) + Trying again. + toolu_B',
      'result toolu_B: file list',
    ])
  })

  test('[P10] a late result moves up to its call, and nothing is made up: livekit-agents-1977', () => {
    expect(healed('livekit-agents-1977')).toEqual([
      "user: What's the weather in Chicago today?",
      'assistant: I will check the weather in Chicago. Please hold on. + call_pD6HsRnMpg3Q4P13rzuDrZ9X',
      'result call_pD6HsRnMpg3Q4P13rzuDrZ9X: The weather is sunny today.',
      'user: Tell me a joke.',
      "assistant: Why don't skeletons fight? No guts.",
      'assistant: It is sunny in Chicago.',
    ])
  })

  test('[P10] a late result joins its batch: codex-44604', () => {
    expect(healed('codex-44604').slice(-5)).toEqual([
      'call call_00_first',
      'call call_01_5kk0GRUtk7tY2lEwSKhY0823',
      'result call_00_first: files',
      'result call_01_5kk0GRUtk7tY2lEwSKhY0823: matches (arrived late)',
      'user: next turn',
    ])
  })

  test('[P10] messages between results are moved after them, in order: pydantic-ai-2360, claude-code-8763', () => {
    expect(healed('pydantic-ai-2360').slice(2)).toEqual([
      'result call_A: see file a',
      'result call_B: see file b',
      'user: This is file a: | user: <image_url>',
      'user: This is file b: | user: <image_url>',
    ])
    expect(healed('claude-code-8763').slice(2)).toEqual([
      'result toolu_h1: edited | result toolu_h2: edited',
      'user: PostToolUse hook output: lint ok',
    ])
  })

  test('[P11] results that came apart and out of order share a message, and none is made up: Wegent-2657', () => {
    const { messages, format, for: reader } = find('Wegent-2657')
    const after = heal(messages, { format, for: reader, cautious: true })
    expect(sketch(after).slice(2)).toEqual(['result call_00: a out | result call_02: c out | result call_01: b out'])
  })

  test('[P11] results come first in their message: Zoo-Code-1705', () => {
    expect(healed('Zoo-Code-1705').slice(2)).toEqual([
      'result toolu_i1: shot a | result toolu_i2: shot b | user: <image> | user: <image>',
    ])
  })

  test('[P12] an id that is too long is hashed, not cut, and alike on both sides: pi-cursor-sdk-237', () => {
    const example = find('pi-cursor-sdk-237')
    const [old] = callIds(example.id, example.messages)
    const ids = [1, 10, 11, 12, 19].map(number => {
      const messages = JSON.parse(JSON.stringify(example.messages).replaceAll(old, old.replace(/\d+$/, String(number))))
      const after = sketch(healCase({ ...example, messages }))
      const [id] = callIds(example.id, healCase({ ...example, messages }))
      expect(after).toEqual(['user: run it', `call ${id}`, `result ${id}: files`, 'user: next'])
      expect(id.length).toBeLessThanOrEqual(64)
      return id
    })
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids[0]).toBe(old.replace(/10$/, '1'))
    expect(ids[1]).not.toBe(old.slice(0, 64))
  })

  test('[P12] an id in a foreign form is mapped on both sides: eca-233', () => {
    const [id] = callIds('eca-233')
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(healed('eca-233')).toEqual([
      'user: list',
      `assistant: ${id}`,
      `result ${id}: files`,
      'assistant: Two files.',
      'user: next',
    ])
  })

  test('[P12] calls that all have one id get one each, and results follow by name: mistral-client-js-69', () => {
    const [search, lookup] = callIds('mistral-client-js-69')
    expect(search).not.toBe(lookup)
    expect(healed('mistral-client-js-69').slice(1)).toEqual([
      `assistant: ${search} + ${lookup}`,
      `result ${search}: r1`,
      `result ${lookup}: r2`,
    ])
  })

  test('[P13] of items that appear twice, the first is kept: voltagent-1121, openrouter-ai-sdk-provider-254', () => {
    expect(healed('voltagent-1121')).toEqual([
      'user: plan my day',
      'reasoning rs_0d433e0424328ba80169a62fd88648819dac7337a8c792cd42',
      'call call_v as fc_v',
      'result call_v: 3 meetings',
      'assistant: You have 3 meetings.',
      'user: thanks',
    ])
    expect(healed('openrouter-ai-sdk-provider-254')).toEqual([
      'user: use both tools',
      'reasoning rs_0ad20f1f8629dc53016924443203408193abb5b3d0b4301e26',
      'call call_o1',
      'call call_o2',
      'result call_o1: 1',
      'result call_o2: 2',
    ])
  })

  test('[P14] a call that another provider ran is removed, and the answer is kept: litellm-33546', () => {
    expect(healed('litellm-33546')).toEqual([
      'user: bitcoin price today',
      'assistant: About X USD.',
      'user: and ether?',
    ])
  })

  test('[P15] a result in an assistant message gets a call, from its id and name: mistral-client-python-234', () => {
    expect(healCase(find('mistral-client-python-234'))).toEqual([
      { role: 'user', content: 'i found a stray dog, white with a blue collar' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'eKp7ETcvQ', type: 'function', function: { name: 'submit_animal_found_report', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'eKp7ETcvQ', content: 'report stored' },
    ])
  })

  test('[P16] a placeholder is of the same kind as its call: OmniRoute-8946, openai-agents-python-2664', () => {
    expect(healed('OmniRoute-8946')).toEqual([
      'user: apply the patch',
      'custom_tool_call call_nNNw7JP5hY7UXaATvHBRDYqc',
      'custom_tool_call_output call_nNNw7JP5hY7UXaATvHBRDYqc: ?',
      'user: continue',
    ])
    expect(healed('openai-agents-python-2664').slice(1, 3)).toEqual([
      'shell_call call_XXXXX',
      'shell_call_output call_XXXXX: ?',
    ])
  })

  test('[P17] truncated arguments are wrapped as a whole: codegraff-752, hermes-agent-10631, wisp-science-775', () => {
    for (const id of ['codegraff-752', 'hermes-agent-10631', 'wisp-science-775', 'local-vllm-684']) {
      const [before, after] = [find(id).messages, healCase(find(id))].map(argumentsIn)
      expect(after.map(text => JSON.parse(text))).toEqual(before.map(text => ({ _cut_off: text })))
    }
    expect(argumentsIn(healCase(find('ai-agent-book-114')))).toEqual(['{}'])
  })

  test('[P18] assistant text that was split off is merged back into the message with the calls: agent-framework-694', () => {
    expect(healed('agent-framework-694')).toEqual([
      'user: cancel my reservation EHGLP3',
      'assistant: I will now check if the cancellation rules allow it. + call_ClCTgYzWvZh3YLTW4N0LuKIq',
      'result call_ClCTgYzWvZh3YLTW4N0LuKIq: {"reservation_id":"EHGLP3"}',
    ])
  })

  test('[P19] a call deep in the history is answered in place: copilot-cli-3183', () => {
    expect(healed('copilot-cli-3183').slice(0, 4)).toEqual([
      'user: question one',
      'assistant: toolu_0158b9C6JwY4ZzCHZdgnibXw',
      'result toolu_0158b9C6JwY4ZzCHZdgnibXw: ?',
      'user: question two (second interaction)',
    ])
  })
})

/** Placeholders of other programs for calls that are gone: all that may be lost, by case. */
const mustGo: Record<string, string[]> = {
  'agent-framework-6910': ['Tool execution skipped - user provided follow-up message'],
  'claude-code-12162': ['[Request interrupted by user for tool use]'],
  'openclaw-4475': [
    '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
  ],
  'openclaw-8536': [
    '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
  ],
}

/**
 * What a stricter reader, or a broken client, made of these was refused; the reader they are for takes them: a batch
 * that its own results divide, ids that come again in a later turn, a reasoning item with what it led to, a request
 * that asks for thinking.
 */
/**
 * Nothing in these tells them from histories that are accepted every day: item ids without reasoning, as models also give
 * them; no content key, which only some hosts demand; the model's own words last; a message a result, which are combined.
 */
const healedAfterRejection = [
  'Wegent-2657',
  'agency-swarm-367',
  'crewAI-6973',
  'laravel-ai-1052',
  'litellm-39268',
  'mastra-10713',
]

const alphabetically = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const takenAsTheyAre = [
  'codex-46193',
  'craft-agents-oss-753',
  'openai-agents-js-326',
  'opencode-3077',
  'picoclaw-2528',
  'vercel-ai-9968',
]

function readCase(file: string): Case {
  const example = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { id, format, format_variant: variant } = example
  return {
    ...example,
    format: format === 'mistral' ? 'openai-chat' : variant === 'UIMessage' ? 'ai-sdk-ui' : format,
    for: example.for ?? 'lenient',
    model: models[id],
  }
}

function find(id: string): Case {
  const example = byId.get(id)
  if (!example) throw new Error(`test/corpus has no ${id}`)
  return example
}

const repairCase = (example: Case) => repair(example.messages, optionsOf(example))

const healCase = (example: Case) => heal(example.messages, optionsOf(example))

const optionsOf = ({ format, for: reader, model }: Case) => ({
  format,
  for: reader,
  ...(model === undefined ? {} : { model }),
})

const healed = (id: string): string[] => sketch(healCase(find(id)))

/** The ids of all calls, in order. */
const callIds = (id: string, messages: unknown[] = healCase(find(id))): string[] =>
  sketch(messages).flatMap(line => {
    if (line.startsWith('call ')) return [line.split(' ')[1]]
    return line.startsWith('assistant: ')
      ? line
          .slice(11)
          .split(' + ')
          .filter(part => !part.includes(' '))
      : []
  })

/** The arguments of all calls, as they stand. */
function argumentsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'arguments' && typeof item === 'string' ? [item] : argumentsIn(item),
  )
}

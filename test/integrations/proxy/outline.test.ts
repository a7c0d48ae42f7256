import { expect, test } from 'vitest'
import { isSurelyHealthy } from '../../../src/integrations/fetch/check/surely-healthy.ts'
import { findEndpoint } from '../../../src/integrations/fetch/endpoint.ts'
import { healRequestText } from '../../../src/integrations/fetch/heal-request-text.ts'
import { JsonOutline } from '../../../src/integrations/proxy/outline/outline.ts'
import { history, validHistory } from '../../laws/history.ts'
import type { Codec } from '../../laws/plan.ts'
import { Random } from '../../laws/random.ts'
import { anthropicMessages } from '../fetch/clients/anthropic.ts'
import { contents } from '../fetch/clients/genai.ts'
import { chatMessages } from '../fetch/clients/openai.ts'
import type { Said } from '../fetch/failures.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { chatPath, messagesOf, post } from '../fetch/requests.ts'
import { serve } from './serving.ts'
import { writeOddly } from './write-oddly.ts'

const places: [path: string, codec: Codec, key: string][] = [
  ['/v1/chat/completions', 'openai-chat', 'messages'],
  ['/mistral/v1/chat/completions', 'openai-chat', 'messages'],
  ['/qwen/v1/chat/completions', 'openai-chat', 'messages'],
  ['/v1/responses', 'openai-responses', 'input'],
  ['/v1/messages', 'anthropic', 'messages'],
  ['/v1beta/models/gemini-3-pro:generateContent', 'gemini', 'contents'],
  ['/model/anthropic.claude-opus-4-6-v1%3A0/converse', 'bedrock', 'messages'],
]

const trials = 300

const long = (text: string): string => `${text} ${'and so on "and" on\n'.repeat(40)}`

const said: Said[] = [
  { who: 'user', text: long('Find me a flight.') },
  { who: 'assistant', text: long('I look.'), call: 'abcdefgh1' },
  { who: 'tool', call: 'abcdefgh1', text: long('TP 1351') },
  { who: 'assistant', text: long('There is one.') },
  { who: 'user', text: long('Book it.') },
]

const bodies = {
  '/v1/chat/completions': { model: 'gpt-5', messages: chatMessages(said) },
  '/mistral/v1/chat/completions': { model: 'mistral-large-latest', messages: chatMessages(said) },
  '/v1/messages': {
    model: 'claude-opus-4-6',
    max_tokens: 99,
    tools: [{ name: 'run', description: long('Runs.'), input_schema: { type: 'object' } }],
    messages: anthropicMessages(said),
  },
  '/v1beta/models/gemini-2.5-flash:generateContent': { contents: contents(said) },
}

test.each(places)('[PX20] %s: if the outline is healthy, healing changes nothing', (path, codec, key) => {
  const endpoint = findEndpoint(new URL(`https://gateway.example${path}`))
  if (!endpoint) throw new Error(`no endpoint ${path}`)
  let [whole, passed] = [0, 0]
  for (let seed = 1; seed <= trials; seed++) {
    const random = new Random(seed)
    const isWhole = random.chance(0.5)
    const { messages } = isWhole ? validHistory(codec, seed) : history(codec, seed)
    const body = { model: 'gpt-5', [key]: stretch(messages, random, isWhole ? says : mixed) }
    const text = random.chance(0.3) ? writeOddly(body, random) : JSON.stringify(body, null, random.pick([0, 0, 2]))
    const outline = outlineOf(text, random)
    const isPassed = outline !== undefined && isSurelyHealthy(JSON.parse(outline), endpoint, {})
    if (isPassed) expect(healRequestText(text, endpoint, {})?.changed, `seed ${seed}`).not.toBe(true)
    whole += Number(isSurelyHealthy(JSON.parse(text), endpoint, {}))
    passed += Number(isPassed)
  }
  expect(passed, `${passed} of ${whole} were passed`).toBeGreaterThan(whole / 4)
})

test.each(Object.entries(bodies))('[PX20] an ordinary long conversation passes at %s', (path, body) => {
  const endpoint = findEndpoint(new URL(`https://gateway.example${path}`))
  const outline = outlineOf(JSON.stringify(body), new Random(1)) ?? ''
  expect(outline.length).toBeLessThan(JSON.stringify(body).length / 5)
  expect(endpoint && isSurelyHealthy(JSON.parse(outline), endpoint, {})).toBe(true)
})

test('[PX20] an outline is the same text, without long content', () => {
  const said = `said "this" \\ and\nthat`.padEnd(70, '.')
  const value = {
    model: 'gpt-5',
    content: said,
    arguments: said,
    parts: [{ text: said }, { text: 'short' }, { text: '' }, { output: said }],
    tail: 'éß漢字',
  }
  const without = {
    ...value,
    content: 'x',
    parts: [{ text: 'x' }, { text: 'short' }, { text: '' }, { output: 'x' }],
  }
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed)
    const text = JSON.stringify(value, null, random.pick([0, 1]))
    expect(JSON.parse(outlineOf(text, random) ?? '')).toEqual(without)
  }
})

test('[PX20] an outline is the same however the bytes are split', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = new Random(seed)
    const parts = Array.from({ length: 1500 }, () => {
      const said = random.pick(['"', '\\', 'word ', '漢', '\n', '{"a":"b"}']).repeat(random.int(40))
      return { [random.pick(['text', 'name', 'arguments', 'content'])]: `${random.pick(['Say', ''])}.${said}` }
    })
    const bytes = Buffer.from(JSON.stringify(parts))
    const cut = (size: () => number): string | undefined => {
      const outline = new JsonOutline()
      for (let at = 0, end = 0; at < bytes.length; at = end) {
        end = at + size()
        outline.push(bytes.subarray(at, end))
      }
      return outline.text
    }
    const whole = cut(() => bytes.length)
    expect(bytes.length).toBeGreaterThan(65_536)
    expect(JSON.parse(whole ?? '')).toEqual(parts.map(withoutWords))
    for (const size of [1, 31, 64, 4096, 65_536, 65_537])
      expect(cut(() => size) === whole, `${seed} ${size}`).toBe(true)
    expect(cut(() => 1 + random.int(200)) === whole, `${seed}`).toBe(true)
  }
})

/** What is said in a long string is one letter; how long it is, is counted in bytes as they are written. */
function withoutWords(part: Record<string, string>): Record<string, string> {
  const isLong = (value: string): boolean => Buffer.byteLength(JSON.stringify(value)) - 2 > 32
  const isSaid = (key: string): boolean => key === 'text' || key === 'content'
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, isSaid(key) && isLong(value) ? 'x' : value]),
  )
}

test('[PX20] white space at the end of a long last message is found', () => {
  const endpoint = findEndpoint(new URL('https://gateway.example/v1/messages'))
  const messages = [
    { role: 'user', content: long('Go on.') },
    { role: 'assistant', content: long('So') },
  ]
  const text = JSON.stringify({ model: 'claude-opus-4', max_tokens: 99, messages })
  if (!endpoint) throw new Error('no endpoint')
  expect(healRequestText(text, endpoint, {})?.repairs).toMatchObject([{ rule: 'trailing-space' }])
  expect(isSurelyHealthy(JSON.parse(outlineOf(text, new Random(1)) ?? ''), endpoint, {})).toBe(false)
})

test('[PX20] a user message that is repeated in another spelling is found', async () => {
  await using server = await startRecorder()
  const { url } = await serve({ to: server.url, repeats: 'drop' })
  const said = JSON.stringify(long('Book it.').padEnd(9000, '.'))
  const [one, other] = [`{"role":"user","content":${said}}`, `{"role":"user","content"\t:${said}}`]
  await fetch(url + chatPath, post(`{"model":"gpt-5","messages":[${one},${other}]}`))
  expect(messagesOf(server.requests[0].body).length).toBe(1)
})

const blanks = [' '.repeat(80), '\n'.repeat(80), '\u00a0'.repeat(80), '\u3000'.repeat(80), '\u2003'.repeat(80)]

test.each(blanks)('[PX20] a long blank string is not taken for text (%j)', blank => {
  for (const text of [JSON.stringify({ content: blank }), ascii(JSON.stringify({ content: blank }))])
    expect(outlineOf(text, new Random(1))).toBeUndefined()
})

const words = ['plain', '\n\n  Here', '"quoted"', '\\', 'éa', '漢字', '👍', 'ひ', '。', '\u4f60']

test.each(words)('[PX20] a long string that begins with %j has text', start => {
  const value = { content: start.padEnd(120, '.') }
  for (const text of [JSON.stringify(value), ascii(JSON.stringify(value))])
    expect([outlineOf(text, new Random(1)), start]).toEqual(['{"content":"x"}', start])
})

test('[LM4] half a character is found in a long string, and a whole one is not taken for it, however the bytes are split', () => {
  const outlines = (text: string): (string | undefined)[] =>
    Array.from({ length: 16 }, (_, less) => {
      const outline = new JsonOutline()
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += less + 1) outline.push(bytes.subarray(at, at + less + 1))
      return outline.text
    })
  const long = 'word '.repeat(20)
  for (const whole of ['👍', '👍👍', 'a👍\\', '漢'])
    expect(new Set(outlines(ascii(JSON.stringify({ content: `${long}${whole}${long}` }))))).toEqual(
      new Set(['{"content":"x"}']),
    )
  for (const half of ['\ud83d', '\udc4d', '\ud83d\ud83d\udc4d', '👍\udc4d', '\ud83d 👍'])
    expect(
      new Set(outlines(JSON.stringify({ content: `${long}${ascii(half)}${long}` }).replaceAll('\\\\u', '\\u'))),
    ).toEqual(new Set([undefined]))
})

/** As writers do that keep to ASCII. */
const ascii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function outlineOf(text: string, random: Random): string | undefined {
  const bytes = Buffer.from(text)
  const outline = new JsonOutline()
  const size = random.pick([1, 2, 3, 7, 64, 1 << 20])
  for (let at = 0; at < bytes.length; at += size) outline.push(bytes.subarray(at, at + size))
  return outline.text
}

/** The same messages with long strings of all kinds in them. */
function stretch(value: unknown, random: Random, kinds: readonly Kind[], key = ''): unknown {
  if (typeof value === 'string') {
    const isSaid = ['content', 'text', 'output', 'thinking'].includes(key)
    return isSaid && random.chance(0.5) ? random.pick(kinds)(value, random) : value
  }
  if (Array.isArray(value)) return value.map(item => stretch(item, random, kinds, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, stretch(field, random, kinds, name)]))
}

type Kind = (text: string, random: Random) => string

const says: Kind[] = [
  text => `${text} ${'word "quoted" \\ '.repeat(9)}`,
  (text, random) => `${random.pick(words)}${text}${'漢字 '.repeat(30)}`,
]

const mixed: Kind[] = [
  ...says,
  (_, random) => random.pick(blanks),
  text => `${text}${' '.repeat(90)}`,
  text => `${' '.repeat(90)}${text}`,
  () => 'the same long words over and over again, as a user says them twice',
]

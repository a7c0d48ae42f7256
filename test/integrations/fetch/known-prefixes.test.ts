import type { CipherGCM } from 'node:crypto'
import { Session } from 'node:inspector/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type CodecId, codecs } from '../../../src/codecs/index.ts'
import type { InvalidExample } from '../../../src/core/rules/example.ts'
import { limitRules } from '../../../src/core/rules/limit-rules.ts'
import { convert } from '../../../src/heal/convert/convert.ts'
import {
  HealthyPrefixes,
  type KnownPrefix,
  type PrefixLimits,
} from '../../../src/integrations/fetch/check/healthy-prefixes.ts'
import { healTextByPrefix } from '../../../src/integrations/fetch/check/text-prefix.ts'
import { type Endpoint, findEndpoint } from '../../../src/integrations/fetch/endpoint.ts'
import { healRequestText } from '../../../src/integrations/fetch/heal-request-text.ts'
import { QuickCheck } from '../../../src/integrations/proxy/outline/quick-check.ts'
import { history, validHistory } from '../../laws/history.ts'
import type { Codec } from '../../laws/plan.ts'
import { Random } from '../../laws/random.ts'
import { load, ruleFile } from '../../repository.ts'

const places: [path: string, codec: Codec & CodecId, model: string][] = [
  ['/v1/chat/completions', 'openai-chat', 'gpt-5'],
  ['/mistral/v1/chat/completions', 'openai-chat', 'mistral-large-latest'],
  ['/v1/responses', 'openai-responses', 'gpt-5'],
  ['/v1/messages', 'anthropic', 'claude-opus-4-8'],
  ['/v1beta/models/gemini-2.5-flash:generateContent', 'gemini', 'gemini-2.5-flash'],
  ['/model/anthropic.claude-opus-4-6-v1%3A0/converse', 'bedrock', 'anthropic.claude-opus-4-6-v1:0'],
]

const conversations = 20
const requestsEach = 12

test.each(places)(
  '[PX55] %s: requests that grow or change have the same outcome with known prefixes',
  async (path, codec, model) => {
    const endpoint = endpointAt(path)
    const [bytes, texts] = [prefixCache(), prefixCache()]
    const uses = { bytes: 0, texts: 0, broken: 0 }
    for (let seed = 1; seed <= conversations; seed++) {
      const random = new Random(seed)
      for (const text of requestsOf(codec, model, endpoint, random)) {
        const expected = healRequestText(text, endpoint, {})
        uses.broken += Number(expected?.changed === true)
        const isPassed = passesQuickly(text, endpoint, bytes.prefixes, random)
        if (isPassed) expect(expected?.changed, `seed ${seed}`).not.toBe(true)
        uses.bytes += Number(bytes.takeFound() !== undefined && isPassed)
        const healed = healTextByPrefix(texts.prefixes, text, endpoint, {}, {})
        expect(healed, `seed ${seed}`).toEqual(expected)
        uses.texts += Number(texts.takeFound() !== undefined && !healed?.changed)
        await setTimeout(0)
      }
    }
    const least = (conversations * requestsEach) / 10
    for (const count of Object.values(uses)) expect(count, JSON.stringify(uses)).toBeGreaterThan(least)
  },
)

test('[PX55] what exceeds a limit is found after a known prefix, and where it begins inside of one', async () => {
  let [checked, used] = [0, 0]
  for (const { id } of limitRules) {
    const { examples } = (await load(ruleFile(id, '.examples'))) as { examples: { invalid: InvalidExample[] } }
    for (const { messages, format, dialect, options } of examples.invalid) {
      const [path, , model] = places.find(([, codec]) => codec === format) ?? []
      const root = Object.hasOwn(codecs, format) ? codecs[format as CodecId].format.root : ''
      const { [root]: list, ...fields } = (Array.isArray(messages) ? { [root]: messages } : messages) as Body
      if (path === undefined || !Array.isArray(list)) continue
      const endpoint = endpointAt(path)
      const choices = { ...options, for: dialect as 'openai' }
      const healthy = plain(format as CodecId, new Random(1), 6, 1)
      const write = (messages: unknown[]): string =>
        JSON.stringify({ metadata: long, model, ...fields, [root]: messages })
      for (let sent = 0; sent <= list.length; sent++) {
        const cache = prefixCache()
        const first = [...healthy, ...list.slice(0, sent), ...healthy.slice(0, 1)]
        healTextByPrefix(cache.prefixes, write(first), endpoint, choices, {})
        await setTimeout(0)
        const whole = write([...healthy, ...list])
        const expected = healRequestText(whole, endpoint, choices)
        expect(healTextByPrefix(cache.prefixes, whole, endpoint, choices, {}), id).toEqual(expected)
        checked++
        used += Number(cache.takeFound() !== undefined)
      }
    }
  }
  expect(used, `${checked}`).toBeGreaterThan(checked / 8)
})

test('[PX55] a second list under the key of the history is not taken for the continuation of a known one', async () => {
  const endpoint = endpointAt('/v1/chat/completions')
  const { prefixes, takeFound } = prefixCache()
  const turn = (id: number) => [
    { role: 'user', content: `${id} ${long}` },
    { role: 'assistant', content: `Yes, ${id}.` },
  ]
  const known = Array.from({ length: 20 }, (_, id) => turn(id)).flat()
  const list = JSON.stringify(known).slice(0, -1)
  healTextByPrefix(
    prefixes,
    `{"model":"gpt-5","messages":${list},{"role":"user","content":"Go on."}]}`,
    endpoint,
    {},
    {},
  )
  await setTimeout(0)
  const orphan = '{"role":"tool","tool_call_id":"call_1","content":"lost"}'
  for (const rest of [
    `,{"role":"user","content":"a"}],"messages":[{"role":"user","content":"b"},${orphan}]}`,
    `,{"role":"user","content":"a"}],"messag\\u0065s":[${orphan},{"role":"user","content":"b"}]}`,
    `,{"role":"user","content":"a"}],"messages":"none"}`,
    `,{"role":"user","content":"a"}],"model":"gpt-5","messages":{}}`,
    `,${orphan}]}`,
    ']}',
    ',]}',
    '',
  ]) {
    const text = `{"model":"gpt-5","messages":${list}${rest}`
    expect(healTextByPrefix(prefixes, text, endpoint, {}, {}), rest).toEqual(healRequestText(text, endpoint, {}))
    expect(takeFound(), rest).toBeDefined()
  }
})

test('[PX55] on a host whose cipher reads only the last piece nothing is remembered', () => {
  const { getBuiltinModule } = process
  const crypto = getBuiltinModule('node:crypto')
  const createCipheriv = (...given: Parameters<typeof crypto.createCipheriv>) => {
    let last: Uint8Array = Buffer.alloc(0)
    const cipher = crypto.createCipheriv(...given) as CipherGCM
    const final = () => {
      cipher.setAAD(last)
      return cipher.final()
    }
    const setAAD = (piece: Uint8Array) => {
      last = piece
    }
    return { setAAD, final, getAuthTag: () => cipher.getAuthTag() }
  }
  try {
    process.getBuiltinModule = (() => ({ ...crypto, createCipheriv })) as never
    expect(HealthyPrefixes.create()).toBeUndefined()
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
  expect(HealthyPrefixes.create()).toBeDefined()
})

test('[PX56] of the requests that were found healthy nothing is kept but numbers, hashes and the model, for at most so many', async () => {
  const { prefixes } = prefixCache({ entriesMax: 10 })
  const endpoint = endpointAt('/v1/messages')
  for (let conversation = 0; conversation < 40; conversation++) {
    const messages: object[] = [{ role: 'user', content: `secret-${conversation} ${long}` }]
    for (let step = 0; step < 12; step++) {
      const id = `toolu_secret${conversation}x${step}`
      messages.push({
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'secret_tool', input: { a: 'secret' } }],
      })
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `secret ${long}` }] })
    }
    const tools = [{ name: 'secret_tool', input_schema: { type: 'object' } }]
    const text = JSON.stringify({ model: 'claude-opus-4-8', max_tokens: 9, system: 'secret', tools, messages })
    expect(passesQuickly(text, endpoint, prefixes, new Random(conversation))).toBe(true)
  }
  const kept = await stringsIn(prefixes)
  expect(kept.filter(text => text === 'claude-opus-4-8').length).toBe(10)
  expect(kept.filter(text => text.includes('secret'))).toEqual([])
})

test('[PX56] a request with a very long name of a model is not remembered', async () => {
  const endpoint = endpointAt('/v1/chat/completions')
  const { prefixes } = prefixCache()
  const messages = plain('openai-chat', new Random(1), 12)
  for (const model of ['m'.repeat(201), 'm'.repeat(200)]) {
    const text = JSON.stringify({ metadata: long, model, messages: [...messages, { role: 'user', content: 'Go on.' }] })
    expect(passesQuickly(text, endpoint, prefixes, new Random(1))).toBe(true)
    expect((await stringsIn(prefixes)).filter(kept => kept === model).length).toBe(model.length > 200 ? 0 : 1)
  }
})

test('[PX55] a request with two lists of which the other one is read is not taken for a known one', async () => {
  const endpoint = endpointAt('/v1beta/models/gemini-2.5-flash:generateContent')
  const { prefixes, takeFound } = prefixCache()
  const contents = [...plain('gemini', new Random(1), 12), { role: 'user', parts: [{ text: 'Go on.' }] }]
  for (const rest of [{}, { messages: [] }]) {
    const text = JSON.stringify({ metadata: long, contents, ...rest })
    const healed = healTextByPrefix(prefixes, text, endpoint, {}, {})
    expect(healed).toEqual(healRequestText(text, endpoint, {}))
    await setTimeout(0)
  }
  expect(takeFound()).toBeDefined()
})

type Body = Record<string, unknown>

/** Requests of a conversation: each continues the last one, and some are changed in some way. */
function* requestsOf(codec: Codec & CodecId, model: string, endpoint: Endpoint, random: Random): Generator<string> {
  const { root } = codecs[codec].format
  const odd = (): unknown[] => {
    const seed = random.int(1 << 20)
    return (random.chance(0.5) ? validHistory(codec, seed) : history(codec, seed)).messages
  }
  let source = [...plain(codec, random, 12), ...odd()]
  const declared: Body = codec === 'bedrock' ? { toolConfig } : codec === 'anthropic' ? { tools } : {}
  let fields: Body = { model, ...declared, metadata: long }
  let isLast = random.chance(0.5)
  let sent = 0
  const write = (list: unknown[], fields: Body): string =>
    JSON.stringify(isLast ? { ...fields, [root]: list } : { metadata: long, [root]: list, ...fields })
  for (let request = 0; request < requestsEach; request++) {
    // A program sends a request when the model is to answer.
    do sent += 1 + random.int(4)
    while (
      sent < source.length &&
      healRequestText(write(source.slice(0, sent), { model, ...declared }), endpoint, {})?.changed
    )
    const list = source.slice(0, sent)
    const change = random.int(16)
    const at = random.int(list.length)
    let changed = list
    if (change === 0) changed = list.slice(0, at + 1)
    else if (change === 1) changed = list.with(at, random.pick(source))
    else if (change === 2) changed = list.with(at, marked(list[at]))
    else if (change === 3) changed = list.toSpliced(at, 1)
    else if (change === 4) changed = list.toSpliced(at, 2, ...list.slice(at, at + 2).reverse())
    else if (change === 5) isLast = !isLast
    const others = change < 9 && change > 5 ? { ...fields, ...random.pick(otherFields) } : fields
    const text = write(changed, others)
    yield change === 9 ? text.replace(/\}\](?=[^\]]*$)/, ' }\n]') : text
    if (random.chance(0.8)) continue
    fields = others
    source = [...changed, ...source.slice(sent)]
    sent = changed.length
  }
}

/** A conversation of so many turns with calls. */
function plain(codec: CodecId, random: Random, turns: number, steps = 3): unknown[] {
  const messages: object[] = []
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: random.sentence() })
    for (let step = random.int(steps); step > 0; step--) {
      const ids = Array.from({ length: 1 + random.int(2) }, () => random.id('').slice(0, 9))
      const calls = ids.map(id => ({ id, type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }))
      messages.push({ role: 'assistant', content: random.sentence(), tool_calls: calls })
      for (const id of ids) messages.push({ role: 'tool', tool_call_id: id, content: random.sentence() })
    }
    messages.push({ role: 'assistant', content: random.sentence() })
  }
  return convert(messages, { from: 'openai-chat', to: codec })
}

/** The same message with a cache mark, as clients move it from request to request, or with other text. */
function marked(message: unknown): unknown {
  const text = JSON.stringify(message)
  return JSON.parse(
    text.replace(/"type":"text"/, '"type":"text","cache_control":{"type":"ephemeral"}').replace(/w\d/, 'edited'),
  )
}

const tools = [{ name: 'look', input_schema: { type: 'object' } }]
const toolConfig = { tools: [{ toolSpec: { name: 'look', inputSchema: { json: {} } } }] }

const otherFields: Body[] = [
  { model: 'claude-sonnet-4-5' },
  { model: 'gpt-5' },
  { tools: [] },
  {
    tools: [
      { name: 'look', input_schema: { type: 'object' } },
      { name: 'look', input_schema: { type: 'object' } },
    ],
  },
  { thinking: { type: 'enabled', budget_tokens: 1024 } },
  { thinking: { type: 'disabled' } },
  { system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }] },
  { system: 'Be short.' },
]

const long = 'words that somebody said, "quoted" at times; '.repeat(30)

const limits: PrefixLimits = { lengthMin: 1200, growthMin: 1 }

/** A cache that tells what was found in it last. */
function prefixCache(more: PrefixLimits = {}) {
  const prefixes = HealthyPrefixes.create({ ...limits, ...more })
  if (!prefixes) throw new Error('no node:crypto')
  let found: KnownPrefix | undefined
  const find = prefixes.find.bind(prefixes)
  prefixes.find = content => {
    found = find(content)
    return found
  }
  const takeFound = (): KnownPrefix | undefined => {
    const last = found
    found = undefined
    return last
  }
  return { prefixes, takeFound }
}

/** Whether the proxy passes a body on without reading all of it, however it is split. */
function passesQuickly(text: string, endpoint: Endpoint, prefixes: HealthyPrefixes, random: Random): boolean {
  const bytes = Buffer.from(text)
  const size = random.pick([1024, 1031, 4096, 1 << 20])
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  const check = new QuickCheck(endpoint, {}, prefixes, random.chance(0.5) ? bytes.length : Number.NaN)
  for (const chunk of chunks) check.push(chunk)
  const isHealthy = check.isHealthy(chunks)
  if (isHealthy) check.remember(chunks)
  return isHealthy
}

function endpointAt(path: string): Endpoint {
  const endpoint = findEndpoint(new URL(`https://gateway.example${path}`))
  if (!endpoint) throw new Error(`no endpoint ${path}`)
  return endpoint
}

/** All strings that are reachable from an object, those in private fields included. */
async function stringsIn(value: object): Promise<string[]> {
  const session = new Session()
  session.connect()
  const holder = globalThis as { inspected?: object | undefined }
  holder.inspected = value
  const { result } = await session.post('Runtime.evaluate', { expression: 'inspected' })
  holder.inspected = undefined
  const strings: string[] = []
  let open = [result.objectId]
  for (let depth = 0; depth < 8; depth++) {
    const next: typeof open = []
    for (const objectId of open) {
      if (objectId === undefined) continue
      const found = await session.post('Runtime.getProperties', { objectId, ownProperties: true })
      for (const { name, value } of [
        ...found.result,
        ...((found as { privateProperties?: typeof found.result }).privateProperties ?? []),
      ]) {
        if (value?.type === 'string') strings.push(value.value)
        else if (value?.type === 'object' && name !== '__proto__' && name !== '#crypto' && name !== '#facts')
          next.push(value.objectId)
      }
    }
    open = next
  }
  session.disconnect()
  return strings
}

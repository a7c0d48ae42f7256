import { Random } from '../../../laws/random.ts'
import { corruptChat } from './corrupt-chat.ts'

export type Files = Map<string, Buffer>
export type Fields = Record<string, unknown>

export interface Message extends Fields {
  id: string
  role: string
  parts: Fields[]
}

/** A chat that can go on, or that waits for its tools: a list of messages, or an object that has one. */
export function generate(seed: number): Files {
  const random = new Random(seed)
  const messages = conversation(random)
  const path = `${random.id('')}.json`
  const meta = { chatId: path.slice(0, -5), createdAt: 1_760_000_000_000, activeStreamId: null }
  const chat = random.chance(0.6) ? messages : { ...meta, messages, title: random.sentence() }
  const text = JSON.stringify(chat, null, random.pick([2, 2, 2, 0, '\t']))
  return new Map([[path, Buffer.from(withOddNumbers(text))]])
}

/** The same chat, broken once to four times. */
export function corrupt(seed: number, store: Files): Files {
  const [[path, bytes]] = [...store]
  const text = bytes.toString()
  const chat = JSON.parse(text.replaceAll(oddNumber, '"#$1#"'))
  corruptChat(Array.isArray(chat) ? chat : chat.messages, new Random(seed ^ 0xc0de))
  const indent = /^[[{]\n(\s+)/.exec(text)?.[1]
  return new Map([[path, Buffer.from(withOddNumbers(JSON.stringify(chat, null, indent)))]])
}

/** `1.0` and `1e5` are numbers that no JavaScript number can express as they were written. */
const oddNumber = /\b(1\.0|1e5)\b(?=[,\n}])/g
const withOddNumbers = (text: string): string => text.replaceAll(/"#(1\.0|1e5)#"/g, '$1')

function conversation(random: Random): Message[] {
  const messages: Message[] = []
  if (random.chance(0.15)) messages.push(message(random, 'system', [text(random)]))
  for (let turn = random.range(1, 5); turn > 0; turn--) {
    const image = { type: 'file', mediaType: 'image/png', url: 'https://example.test/a.png' }
    messages.push(message(random, 'user', random.chance(0.1) ? [text(random), image] : [text(random)]))
    const parts: Fields[] = []
    for (let step = random.range(0, 3); step > 0; step--) {
      parts.push({ type: 'step-start' })
      if (random.chance(0.2)) parts.push({ type: 'reasoning', text: 'so be it', state: 'done' })
      if (random.chance(0.3)) parts.push(text(random))
      for (let calls = random.range(1, 3); calls > 0; calls--) parts.push(settled(call(random), random))
      if (random.chance(0.15)) parts.push({ type: 'data-progress', id: random.id('d'), data: { done: '#1.0#' } })
    }
    parts.push({ type: 'step-start' }, text(random))
    if (random.chance(0.1)) parts.push({ type: 'source-url', sourceId: random.id('s'), url: 'https://example.test/b' })
    messages.push(message(random, 'assistant', parts))
  }
  if (random.chance(0.2)) messages.push(...waiting(random))
  return messages
}

/** The last calls wait: for a person, or for the browser that runs them. */
function waiting(random: Random): Message[] {
  const asked = random.chance(0.5)
    ? { state: 'approval-requested', approval: { id: random.id('ap') } }
    : { state: 'input-available' }
  const parts = [{ type: 'step-start' }, settled(call(random), random), { ...call(random), ...asked }]
  return [message(random, 'user', [text(random)]), message(random, 'assistant', parts)]
}

function message(random: Random, role: string, parts: Fields[]): Message {
  const metadata = random.chance(0.2) ? { metadata: { cost: random.pick(['#1.0#', '#1e5#']), model: 'gpt-5' } } : {}
  return { id: random.id('msg-'), role, ...metadata, parts }
}

const text = (random: Random): Fields => ({
  type: 'text',
  text: random.sentence(),
  ...(random.chance(0.3) ? { state: 'done' } : {}),
})

function call(random: Random): Fields {
  const name = random.pick(['search', 'read_file', 'book', 'get_forecast'])
  const kind = random.chance(0.15) ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` }
  return { ...kind, toolCallId: random.id('call_'), input: { city: random.sentence() } }
}

function settled(part: Fields, random: Random): Fields {
  const approval = { id: random.id('ap') }
  switch (random.int(8)) {
    case 0:
      return { ...part, state: 'output-error', errorText: 'it failed' }
    case 1:
      return { ...part, state: 'output-denied', approval: { ...approval, approved: false, reason: 'too dear' } }
    case 2:
      return {
        ...part,
        state: 'output-available',
        approval: { ...approval, approved: true },
        output: random.sentence(),
      }
    default:
      return { ...part, state: 'output-available', output: random.chance(0.5) ? random.sentence() : { ok: '#1.0#' } }
  }
}

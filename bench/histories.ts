/** A history in the openai-chat shape: the one that all parts of the bench share. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: Call[]
  tool_call_id?: string
  /** Of a result: the tool that gave it. */
  name?: string
}

export interface Call {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** The bytes of a history, and the history parsed from them. */
export interface Written {
  json: string
  history: Message[]
}

export interface Size {
  messages: number
  /** The average length of one message as JSON. */
  bytes: number
}

/**
 * A history without a fault: turns of eight messages, two steps a turn, two parallel calls a step. The arguments of a call carry
 * `ask-N` and its result carries `answer-N`, which is how the judge recognises them whatever became of their ids.
 */
export function writeHealthy(size: Size, seed = 1): Written {
  return written(compose(size, seed))
}

/** The same history with the fault `kind` in it. */
export function writeBroken(kind: Fault, size: Size, seed = 1): Written {
  return written(faults[kind](compose(size, seed)))
}

export type Fault = keyof typeof faults

const faults = {
  'one orphan result': history => insert(history, firstResult(history), orphan(0)),
  'one call without its result': history => remove(history, firstResult(history)),
  'one result behind a later message': history => move(history, firstResult(history), 4),
  'one user message before a result': history => insert(history, firstResult(history), interruption(0)),
  'one result twice': history => insert(history, firstResult(history), history[firstResult(history)] as Message),
  '1% of the results dropped': history => {
    let results = 0
    return history.filter(message => message.role !== 'tool' || ++results % 100 !== 50)
  },
  'all of these, in 1% of the messages': sprinkle,
} satisfies Record<string, (history: Message[]) => Message[]>

export const faultKinds = Object.keys(faults) as Fault[]
export const everyFault: Fault = 'all of these, in 1% of the messages'

/** About one message in a hundred suffers: a result becomes an orphan's neighbour, goes missing, is cut off, repeated or late. */
function sprinkle(history: Message[]): Message[] {
  const spoiled: Message[] = []
  let faultCount = 0
  let late: { message: Message; due: number } | undefined
  for (const [index, message] of history.entries()) {
    if (late?.due === index) {
      spoiled.push(late.message)
      late = undefined
    }
    if (message.role !== 'tool' || index < (faultCount + 1) * 100) {
      spoiled.push(message)
      continue
    }
    switch (faultCount++ % 5) {
      case 0:
        spoiled.push(orphan(faultCount), message)
        break
      case 1:
        break
      case 2:
        spoiled.push(interruption(faultCount), message)
        break
      case 3:
        spoiled.push(message, message)
        break
      default:
        late = { message, due: index + 4 }
    }
  }
  return spoiled
}

/** The first of the two results of a step in the middle. */
function firstResult(history: Message[]): number {
  let at = history.length >> 1
  while (!(history[at]?.role === 'tool' && history[at - 1]?.role === 'assistant')) at++
  return at
}

const insert = (history: Message[], at: number, message: Message) => history.toSpliced(at, 0, message)
const remove = (history: Message[], at: number) => history.toSpliced(at, 1)
const move = (history: Message[], at: number, by: number) =>
  insert(remove(history, at), at + by, history[at] as Message)

const orphan = (number: number): Message => ({
  role: 'tool',
  tool_call_id: `call_of_nobody_${number}`,
  content: 'a result that no call asked for',
})
const interruption = (number: number): Message => ({ role: 'user', content: `Are you still there? (${number})` })

function written(history: Message[]): Written {
  const json = JSON.stringify(history)
  return { json, history: JSON.parse(json) as Message[] }
}

/** The length as JSON of a message with two calls and no words. */
const bareStepBytes = 330

function compose({ messages, bytes }: Size, seed: number): Message[] {
  const random = generator(seed)
  const stepBytes = Math.max(Math.min(bytes, 600), bareStepBytes)
  const otherBytes = (8 * bytes - 2 * stepBytes) / 6
  const words = (average: number) => {
    const length = Math.max(8, Math.round(average * (0.4 + 1.2 * random())))
    const from = Math.floor(random() * (library.length - length))
    return library.slice(from, from + length)
  }
  const history: Message[] = [{ role: 'system', content: 'You are a careful assistant.' }]
  let number = 0
  const call = (): Call => {
    const query = `ask-${++number} ${words((stepBytes - bareStepBytes) / 6)}`
    return {
      id: `call_${idText(random)}`,
      type: 'function',
      function: { name: random() < 0.5 ? 'search' : 'read_file', arguments: JSON.stringify({ query }) },
    }
  }
  const result = (id: string, of: number): Message => ({
    role: 'tool',
    tool_call_id: id,
    content: `answer-${of} ${words(otherBytes - 90)}`,
  })
  while (history.length < messages) {
    history.push({ role: 'user', content: words(otherBytes - 30) })
    for (let step = 0; step < 2; step++) {
      const calls = [call(), call()] as const
      const content = random() < 0.5 ? null : words((4 * (stepBytes - bareStepBytes)) / 3)
      history.push({ role: 'assistant', content, tool_calls: [...calls] })
      history.push(result(calls[0].id, number - 1), result(calls[1].id, number))
    }
    history.push({ role: 'assistant', content: words(otherBytes - 35) })
  }
  return cutAtTurn(history, messages)
}

/** The longest whole turns within the wanted length, so that the last step is never cut. */
function cutAtTurn(history: Message[], messages: number): Message[] {
  const turns = Math.max(1, Math.floor((messages - 1) / 8))
  return history.slice(0, 1 + 8 * turns)
}

function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const idText = (random: () => number) =>
  Array.from({ length: 24 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')

const library = (() => {
  const random = generator(7)
  const vocabulary = Array.from({ length: 500 }, () =>
    idText(random)
      .toLowerCase()
      .slice(0, 2 + Math.floor(random() * 9)),
  )
  const words = Array.from({ length: 12_000 }, () => vocabulary[Math.floor(random() * vocabulary.length)])
  return words.map((word, index) => (index % 60 === 59 ? `${word}.\n` : `${word} `)).join('')
})()

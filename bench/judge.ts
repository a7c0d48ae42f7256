import type { Call, Message } from './histories.ts'

/**
 * `ok`: healed, every word kept. `drop`: valid, but a call is gone. `lost`: valid, but a real result or a text is gone or stands
 * where it does not belong. `no`: still malformed.
 */
export interface Verdict {
  verdict: 'ok' | 'drop' | 'lost' | 'no'
  why?: string
}

/** What became of a history, by the words in it: `ask-N` in a call's arguments, `answer-N` in its result. */
export function judge(before: Message[], after: Message[]): Verdict {
  const fault = findFault(after)
  if (fault !== undefined) return { verdict: 'no', why: fault }
  return findLoss(before, after) ?? { verdict: 'ok' }
}

/** The first fault that a strict reader of the openai-chat wire would refuse. It shares no line with antiphon. */
export function findFault(history: Message[]): string | undefined {
  if (history.length === 0) return 'there is no message'
  let open = new Set<string>()
  let talkBegan = false
  for (const [index, message] of history.entries()) {
    const at = `messages[${index}]`
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) return `${at} answers no open call of the step before it`
      continue
    }
    if (open.size > 0) return `${at} follows calls that have no result`
    if (message.role === 'system' && talkBegan) return `${at} is a system message in the middle`
    talkBegan ||= message.role !== 'system'
    const calls = message.tool_calls
    if (calls === undefined) {
      if (wordsOf(message).trim() === '') return `${at} is empty`
      continue
    }
    if (message.role !== 'assistant' || calls.length === 0) return `${at} has calls it may not have`
    const bad = calls.find(call => !isSound(call))
    if (bad !== undefined) return `${at} has a call with a bad id, name or arguments`
    open = new Set(calls.map(call => call.id))
    if (open.size < calls.length) return `${at} uses one id for two calls`
  }
  return open.size > 0 ? 'the last calls have no result' : undefined
}

function isSound(call: Call): boolean {
  if (!call.id || !call.function.name) return false
  try {
    const value: unknown = JSON.parse(call.function.arguments)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function findLoss(before: Message[], after: Message[]): Verdict | undefined {
  const { answers, calls } = readAnswers(after)
  const callsBefore = before.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
  for (const call of before.flatMap(message => message.tool_calls ?? [])) {
    const asked = numberIn('ask', call.function.arguments)
    if (asked === undefined || answers.has(asked)) continue
    if (calls < callsBefore) return { verdict: 'drop', why: `the call ask-${asked} is gone` }
    return { verdict: 'lost', why: `the arguments of the call ask-${asked} are gone` }
  }
  for (const message of before) {
    const answered = message.role === 'tool' ? numberIn('answer', wordsOf(message)) : undefined
    const words = answered === undefined ? undefined : answers.get(answered)
    if (words === undefined || numberIn('answer', words) === answered) continue
    return { verdict: 'lost', why: `answer-${answered} no longer answers ask-${answered}` }
  }
  return findLostText(before, after)
}

function findLostText(before: Message[], after: Message[]): Verdict | undefined {
  const exact = new Set(after.map(message => `${message.role}:${wordsOf(message)}`))
  for (const message of before) {
    const words = wordsOf(message)
    if (message.role === 'tool' || words.trim() === '' || exact.has(`${message.role}:${words}`)) continue
    if (!after.some(other => other.role === message.role && wordsOf(other).includes(words))) {
      return { verdict: 'lost', why: `the ${message.role}'s words "${words.slice(0, 40)}" are gone` }
    }
  }
  return undefined
}

/** The words that answer each call, by the call's number (empty where nothing does), and how many calls there are. */
function readAnswers(history: Message[]): { answers: Map<string, string>; calls: number } {
  const answers = new Map<string, string>()
  let calls = 0
  let step = new Map<string, string>()
  for (const message of history) {
    if (message.role === 'tool') {
      const asked = step.get(message.tool_call_id ?? '')
      if (asked !== undefined) answers.set(asked, wordsOf(message))
      continue
    }
    if (message.tool_calls === undefined) continue
    step = new Map()
    for (const call of message.tool_calls) {
      calls++
      const asked = numberIn('ask', call.function.arguments)
      if (asked === undefined) continue
      step.set(call.id, asked)
      answers.set(asked, '')
    }
  }
  return { answers, calls }
}

const markers = { ask: /\bask-(\d+)/, answer: /\banswer-(\d+)/ }
const numberIn = (marker: 'ask' | 'answer', text: string) => markers[marker].exec(text)?.[1]

/** The text of a message, written as a string or as text parts. */
function wordsOf({ content }: { content: unknown }): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

import { type CodecId, codecs } from '../../codecs/index.ts'
import type { Outcome } from '../entry.ts'
import type { RecordedStep, ThreadState } from '../fold.ts'
import { errorOutcome, outcomeOfOutput, placeholderOutcome } from '../outcome.ts'

/** The result of an agent: the last words of its thread, or why there are none. Undefined if it has not ended. */
export function childOutcome(state: ThreadState, bytesMax: number): Outcome | undefined {
  const { ended, turn, waiting } = state
  if (!ended || turn || waiting.length > 0) return undefined
  const words = lastWords(state)
  const withWords = (message: string): string => (words === '' ? message : `${message} Its last words: ${words}`)
  switch (ended.status) {
    case 'done':
      return outcomeOfOutput(words, bytesMax)
    case 'length':
      return outcomeOfOutput(`${words}\n[cut: the answer of the agent reached the length limit of its model]`, bytesMax)
    case 'interrupted':
      return placeholderOutcome('interrupted')
    case 'failed':
      return errorOutcome(`The agent failed: ${ended.error?.message ?? 'unknown error'}`)
    case 'limit':
      return errorOutcome(withWords('The agent stopped at its maximum number of steps.'))
    case 'refused':
      return errorOutcome(withWords('The agent refused.'))
  }
}

const lastWords = (state: ThreadState): string => lastAnswer(state).map(wordsOf).join('').trim()

/** The steps of the last answer. One that broke off or was paused is continued by the next. */
function lastAnswer({ items }: ThreadState): RecordedStep[] {
  const steps: RecordedStep[] = []
  for (const item of items.toReversed()) {
    if (item.kind === 'input' && steps.length > 0) break
    if (item.kind !== 'step' || item.step.response.messages.length === 0) continue
    if (steps.length > 0 && !isContinued(item.step)) break
    steps.push(item.step)
  }
  return steps.reverse()
}

const isContinued = ({ response: { finish, calls } }: RecordedStep): boolean =>
  finish === 'cut' || (finish === 'pause' && calls.every(({ answered }) => answered))

function wordsOf({ response }: RecordedStep): string {
  const { messages } = codecs[response.format as CodecId].decode(response.messages)
  const parts = messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
  return parts.flatMap(part => (part.kind === 'text' ? part.text : [])).join('')
}

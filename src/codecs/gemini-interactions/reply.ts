import { type Fields, isRecord } from '../../core/conversation.ts'
import { type Finish, type Reply, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, splitSendable } from '../shared/split-sendable.ts'
import { text } from '../shared/text.ts'

/** Reads an interaction: the steps of its answer are input steps as they are. */
export function read(interaction: unknown): Reply | undefined {
  if (!isRecord(interaction) || !Array.isArray(interaction.steps) || !isInteraction(interaction)) return undefined
  return toReply(answerOf(interaction.steps), finishOf(interaction.status), interaction)
}

const isInteraction = ({ object, status, id }: Fields): boolean =>
  object === 'interaction' || (typeof status === 'string' && typeof id === 'string')

/** Why an interaction ended. One that waits for results has ended like any other. */
export const finishOf = (status: unknown): Finish => finishes.get(status) ?? 'cut'

const finishes: ReadonlyMap<unknown, Finish> = new Map([
  ['completed', 'stop'],
  ['requires_action', 'stop'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['requires_continuation', 'pause'],
])

/** The steps of the answer. A stored interaction also has the steps of its request, which come first. */
export function answerOf(steps: readonly unknown[]): Fields[] {
  const asked = steps.findLastIndex(step => isRecord(step) && requestTypes.has(step.type))
  return steps.slice(asked + 1).filter(isRecord)
}

const requestTypes: ReadonlySet<unknown> = new Set(['user_input', 'function_result'])

/** The reply with these steps, if it ended so. */
export function toReply(steps: readonly Fields[], finish: Finish, about: Fields): Reply {
  const { kept, left } = splitSendable(steps, finish, reader)
  return replyOf(finish, kept, left, about)
}

const reader: PartReader = {
  kindOf: step => stepKind(step as Fields),
  bare: step => ({
    type: 'model_output',
    content: textsOf(step as Fields).map(({ text }) => ({ type: 'text', text })),
  }),
  mayEndInReasoning: true,
}

function stepKind(step: Fields): PartKind {
  if (step.type === 'thought') return 'reasoning'
  if (step.type === 'function_call') return isRecord(step.arguments) ? 'call' : 'incomplete-call'
  if (step.type !== 'model_output') return 'other'
  const content = Array.isArray(step.content) ? step.content : []
  if (textsOf(step).length < content.length) return 'other'
  return content.some(block => hasWords(text(block.text))) ? 'text' : 'blank'
}

const textsOf = ({ content }: Fields): Fields[] =>
  Array.isArray(content) ? content.filter(block => isRecord(block) && typeof block.text === 'string') : []

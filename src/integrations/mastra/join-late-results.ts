import { isRecord } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { held, isPartsMessage, type PartsMessage } from './stored-message.ts'

type ToolPart = Readonly<Record<string, unknown>>

/** A call without a result, and its position. */
interface OpenCall {
  readonly message: number
  readonly slot: number
  readonly call: ToolPart
}

/**
 * Mastra keeps a call and its result in one part. A result that arrived after a user message is in a separate assistant message, with the id,
 * name and arguments of a call that is still open in the assistant message before. Such a result is moved into the part of its call, if
 * `mayMove` allows that; otherwise both stay as they are.
 */
export function joinLateResults(
  messages: readonly unknown[],
  mayMove: (from: PartsMessage, to: PartsMessage) => boolean,
): { messages: readonly unknown[]; repairs: Repair[] } {
  const joined = [...messages]
  const repairs: Repair[] = []
  let open = new Map<unknown, OpenCall>()
  for (const [index, message] of messages.entries()) {
    if (!isPartsMessage(message) || message.role !== 'assistant') continue
    const results = message.parts.filter(part => !isStepStart(part))
    const isLate = results.length > 0 && results.every(part => isAnswerTo(part, open))
    if (!isLate) {
      open = new Map(message.parts.flatMap((part, slot) => openCall(part, index, slot)))
      continue
    }
    for (const result of results as ToolPart[]) {
      const { message: at, slot, call } = open.get(result.toolCallId) as OpenCall
      const caller = joined[at] as PartsMessage
      const isMoved = mayMove(message, caller)
      joined[at] = {
        ...caller,
        parts: caller.parts.with(slot, isMoved ? { ...call, ...answerIn(result) } : held(call)),
      }
      if (!isMoved) continue
      joined[index] = undefined
      repairs.push(repairOf(String(result.toolCallId), `messages[${index}]`))
    }
    open = new Map()
  }
  return { messages: joined.filter(message => message !== undefined), repairs }
}

const isStepStart = (part: unknown): boolean => isRecord(part) && part.type === 'step-start'

const isClientCall = (part: unknown): part is ToolPart =>
  isRecord(part) && part.type === 'dynamic-tool' && part.providerExecuted !== true

const openCall = (part: unknown, message: number, slot: number): [unknown, OpenCall][] =>
  isClientCall(part) && !answers.has(part.state) ? [[part.toolCallId, { message, slot, call: part }]] : []

function isAnswerTo(part: unknown, open: ReadonlyMap<unknown, OpenCall>): boolean {
  if (!isClientCall(part) || !answers.has(part.state)) return false
  const { call } = open.get(part.toolCallId) ?? {}
  return call !== undefined && call.toolName === part.toolName && equal(call.input, part.input)
}

const answers = new Set<unknown>(['output-available', 'output-error', 'output-denied'])

const answerIn = ({ state, output, errorText, approval }: ToolPart): ToolPart => ({
  state,
  ...(output === undefined ? {} : { output }),
  ...(errorText === undefined ? {} : { errorText }),
  ...(approval === undefined ? {} : { approval }),
})

const repairOf = (callId: string, at: string): Repair => ({
  ...{ rule: 'misplaced-result', severity: 'error', at, callId, class: 'lossless', edits: [] },
  message: `the result of call ${callId} is in a later message than the call`,
  help: 'move it to its call (lossless)',
})

import type { Message, ToolMessage, UserMessage } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import type { JournalCall } from '../../journal/fold.ts'
import type { AgUiRepair } from './handler-options.ts'
import { ownMessages } from './own-messages.ts'
import type { ThreadView } from './thread-view.ts'

/** A result that a client brings. */
export interface BroughtResult {
  readonly call: JournalCall
  readonly output: string
  readonly isError: boolean
}

/** What of a client's messages is new to the journal. Everything else is history, of which the journal knows better. */
export interface News {
  readonly inputs: readonly UserMessage[]
  readonly results: readonly BroughtResult[]
  readonly repairs: readonly AgUiRepair[]
}

/**
 * Sorts the messages of a client. New are the messages of the user that the journal does not know, behind the last one
 * of an assistant that it does not know either: what stands before that was said to somebody else. New are results of calls that
 * wait for the client; `isClients` says whose tools are the client's.
 */
export function sortMessages(
  view: ThreadView,
  messages: readonly Message[],
  isClients: (tool: string) => boolean,
): News {
  const known = new Map(view.messages().map(message => [message.id, message]))
  const inputs: UserMessage[] = []
  const results: BroughtResult[] = []
  const repairs: AgUiRepair[] = []
  const note = (rule: AgUiRepair['rule'], index: number, message: string): void => {
    repairs.push({ rule, at: `messages[${index}]`, message })
  }
  const own = new Set(ownMessages(messages))
  const isForeign = (message: Message): boolean =>
    message.role === 'assistant' && !known.has(message.id) && !own.has(message)
  const foreign = messages.findLastIndex(isForeign)
  for (const [index, message] of messages.entries()) {
    const before = known.get(message.id)
    if (message.role === 'tool') {
      if (before) continue
      const brought = readResult(view, message, index, isClients, note)
      if (brought && !results.some(({ call }) => call === brought.call)) results.push(brought)
    } else if (message.role === 'user') {
      if (before && !equal(before, message)) note('changed-message', index, 'the journal has it with other words')
      if (before) continue
      if (index < foreign) note('foreign-message', index, 'it is history that the journal does not have')
      else if (isEmpty(message)) note('foreign-message', index, 'it says nothing')
      else if (!inputs.some(({ id }) => id === message.id)) inputs.push(message)
    } else if (isForeign(message)) note('foreign-message', index, 'the journal has no such message of the assistant')
  }
  return { inputs, results, repairs }
}

function readResult(
  view: ThreadView,
  { toolCallId, content, error }: ToolMessage,
  index: number,
  isClients: (tool: string) => boolean,
  note: (rule: AgUiRepair['rule'], index: number, message: string) => void,
): BroughtResult | undefined {
  const call = view.callNamed(toolCallId)
  if (!call) {
    note('orphan-result', index, `the journal has no call ${toolCallId}`)
    return undefined
  }
  if (call.parked?.why !== 'outside' || !isClients(call.name)) {
    note('orphan-result', index, `${call.name} is not a tool of the client: its result does not come from there`)
    return undefined
  }
  const { text, hasMedia } = textOf(content)
  if (call.outcome && call.outcome.status !== 'made-up') {
    if (call.outcome.content !== text) note('duplicate-result', index, `the call ${toolCallId} has its result`)
    return undefined
  }
  if (hasMedia) note('media-result', index, 'a result keeps its words only')
  const isError = typeof error === 'string' && error !== ''
  return { call, output: text === '' && isError ? error : text, isError }
}

function textOf(content: unknown): { text: string; hasMedia: boolean } {
  if (typeof content === 'string') return { text: content, hasMedia: false }
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  const texts = parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : undefined))
  return { text: texts.join(''), hasMedia: texts.includes(undefined) }
}

/** Whether a message of the user says nothing. */
export const isEmpty = ({ content }: UserMessage): boolean =>
  typeof content === 'string' ? content.trim() === '' : !Array.isArray(content) || content.length === 0

import type { Message, ToolMessage, UserMessage } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import type { JournalCall } from '../../journal/fold.ts'
import type { AgUiRepair } from './handler-options.ts'
import { ownMessages } from './own-messages.ts'
import type { ThreadView } from './thread-view.ts'

/** A tool result from the client. */
export interface ClientResult {
  readonly call: JournalCall
  readonly output: string
  readonly isError: boolean
}

/** A user message that the client changed, and after which it has removed all messages that the journal knows. */
export interface ClientEdit {
  /** The input that it replaces, by its position. */
  readonly input: number
  readonly index: number
  readonly message: UserMessage
}

/** The new parts of a client's messages. Everything else is history, and the journal is the source of truth for it. */
export interface NewMessages {
  readonly inputs: readonly UserMessage[]
  readonly edit?: ClientEdit
  readonly results: readonly ClientResult[]
  readonly repairs: readonly AgUiRepair[]
}

/**
 * Finds the new messages of a client: a user message that it changed, user messages that the journal does not know, and results of calls that
 * wait for the client. An assistant message that the journal does not know ends another history: user messages before it do not count.
 * `isClientTool` tells the client's tools from the server's. `decided` are the calls that the same run approves or denies: some clients add a
 * message with the decision.
 */
export function sortMessages(
  view: ThreadView,
  messages: readonly Message[],
  isClientTool: (tool: string) => boolean,
  decided: ReadonlySet<string> = new Set(),
): NewMessages {
  const known = new Map(view.messages().map(message => [message.id, message]))
  const inputs = new Map<string, UserMessage>()
  const results = new Map<JournalCall, ClientResult>()
  const repairs: AgUiRepair[] = []
  const note = (rule: AgUiRepair['rule'], index: number, message: string): void => {
    repairs.push({ rule, at: `messages[${index}]`, message })
  }
  const own = new Set(ownMessages(messages))
  const lastKnown = messages.findLastIndex(({ id, role }) => role !== 'user' || known.has(id))
  let edit: ClientEdit | undefined
  const isForeign = (message: Message): boolean =>
    message.role === 'assistant' && !known.has(message.id) && !own.has(message)
  const foreign = messages.findLastIndex(isForeign)
  for (const [index, message] of messages.entries()) {
    const before = known.get(message.id)
    if (message.role === 'tool') {
      if (before || decided.has(view.callNamed(message.toolCallId)?.id ?? '')) continue
      const result = readResult(view, message, index, isClientTool, note)
      if (result && !results.has(result.call)) results.set(result.call, result)
    } else if (message.role === 'user') {
      if (before && index === lastKnown) edit = editOf(view, message, index)
      if (before && !edit && !equal(before, message)) note('changed-message', index, changedText)
      if (before) continue
      if (index < foreign) note('foreign-message', index, 'it is part of a history that the journal does not have')
      else if (isEmptyMessage(message)) note('foreign-message', index, 'it is empty')
      else if (!inputs.has(message.id)) inputs.set(message.id, message)
    } else if (isForeign(message)) note('foreign-message', index, 'the journal does not have this assistant message')
  }
  return { inputs: [...inputs.values()], ...(edit && { edit }), results: [...results.values()], repairs }
}

export const changedText = 'the journal has it with other content'

/** A client that has an earlier version of the message does not know about its edit, and has not changed anything. */
function editOf(view: ThreadView, message: UserMessage, index: number): ClientEdit | undefined {
  const input = view.inputNamed(message.id)
  const isKnown = view.versionsOf(message.id).some(({ content }) => equal(partsOf(content), partsOf(message.content)))
  return input === undefined || isKnown || isEmptyMessage(message) ? undefined : { input, index, message }
}

const partsOf = (content: UserMessage['content']): unknown =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

function readResult(
  view: ThreadView,
  { toolCallId, content, error }: ToolMessage,
  index: number,
  isClientTool: (tool: string) => boolean,
  note: (rule: AgUiRepair['rule'], index: number, message: string) => void,
): ClientResult | undefined {
  const call = view.callNamed(toolCallId)
  if (!call) {
    note('orphan-result', index, `the journal has no call ${toolCallId}`)
    return undefined
  }
  if (call.parked?.why !== 'outside' || !isClientTool(call.name)) {
    note('orphan-result', index, `${call.name} is not a tool of the client, so its result is ignored`)
    return undefined
  }
  const { text, hasMedia } = textOf(content)
  if (call.outcome && call.outcome.status !== 'made-up') {
    if (call.outcome.content !== text) note('duplicate-result', index, `the call ${toolCallId} already has a result`)
    return undefined
  }
  if (hasMedia) note('media-result', index, 'only the text of a result is used')
  const isError = typeof error === 'string' && error !== ''
  return { call, output: text === '' && isError ? error : text, isError }
}

function textOf(content: unknown): { text: string; hasMedia: boolean } {
  if (typeof content === 'string') return { text: content, hasMedia: false }
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  const texts = parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : undefined))
  return { text: texts.join(''), hasMedia: texts.includes(undefined) }
}

/** Whether a user message is empty. */
export const isEmptyMessage = ({ content }: UserMessage): boolean =>
  typeof content === 'string' ? content.trim() === '' : !Array.isArray(content) || content.length === 0

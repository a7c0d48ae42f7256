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

/** A user message that the client changed, and after which it has removed all messages that the journal knows. The message may be part of another branch. */
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
 * wait for the client. An assistant message that the journal does not know belongs to another history, and so do the user messages before it: they do not count.
 * `isClientTool` tells the client's tools from the server's. `decided` are the calls that the same run approves or denies: some clients add a
 * message with the decision.
 */
export function sortMessages(
  view: ThreadView,
  messages: readonly Message[],
  isClientTool: (tool: string) => boolean,
  decided: ReadonlySet<string> = new Set(),
): NewMessages {
  const sorter = new MessageSorter(view, messages, isClientTool, decided)
  for (const [index, message] of messages.entries()) sorter.push(message, index)
  return sorter.end()
}

class MessageSorter {
  readonly #view: ThreadView
  readonly #isClientTool: (tool: string) => boolean
  readonly #decided: ReadonlySet<string>
  /** The messages of the journal, by id. */
  readonly #known: ReadonlyMap<string, Message>
  readonly #own: ReadonlySet<Message>
  /** The last message that the journal knows, and the last one of another history. */
  readonly #lastKnown: number
  readonly #lastForeign: number
  readonly #inputs = new Map<string, UserMessage>()
  readonly #results = new Map<JournalCall, ClientResult>()
  readonly #repairs: AgUiRepair[] = []
  #edit: ClientEdit | undefined

  constructor(
    view: ThreadView,
    messages: readonly Message[],
    isClientTool: (tool: string) => boolean,
    decided: ReadonlySet<string>,
  ) {
    this.#view = view
    this.#isClientTool = isClientTool
    this.#decided = decided
    this.#known = new Map(view.messages().map(message => [message.id, message]))
    this.#own = new Set(ownMessages(messages))
    this.#lastKnown = messages.findLastIndex(({ id, role }) => role !== 'user' || this.#known.has(id))
    this.#lastForeign = messages.findLastIndex(message => this.#isForeign(message))
  }

  push(message: Message, index: number): void {
    if (message.role === 'tool') this.#pushResult(message, index)
    else if (message.role === 'user') this.#pushInput(message, index)
    else if (this.#isForeign(message))
      this.#note('foreign-message', index, 'the journal does not have this assistant message')
  }

  end(): NewMessages {
    const edit = this.#edit
    return {
      inputs: [...this.#inputs.values()],
      ...(edit && { edit }),
      results: [...this.#results.values()],
      repairs: this.#repairs,
    }
  }

  #isForeign(message: Message): boolean {
    return message.role === 'assistant' && !this.#known.has(message.id) && !this.#own.has(message)
  }

  #pushResult(message: ToolMessage, index: number): void {
    if (this.#known.has(message.id) || this.#decided.has(this.#view.callNamed(message.toolCallId)?.id ?? '')) return
    const result = readResult(this.#view, message, index, this.#isClientTool, this.#note)
    if (result && !this.#results.has(result.call)) this.#results.set(result.call, result)
  }

  #pushInput(message: UserMessage, index: number): void {
    const before = this.#known.get(message.id)
    // Another client may have chosen another branch, so that the message is not known on the current one.
    if (index >= this.#lastKnown && !this.#inputs.has(message.id)) this.#edit ??= editOf(this.#view, message, index)
    if (before && !this.#edit && !equal(before, message)) this.#note('changed-message', index, changedText)
    if (before || this.#edit?.index === index) return
    if (index < this.#lastForeign)
      this.#note('foreign-message', index, 'it is part of a history that the journal does not have')
    else if (isEmptyMessage(message)) this.#note('foreign-message', index, 'it is empty')
    else if (!this.#inputs.has(message.id)) this.#inputs.set(message.id, message)
  }

  readonly #note = (rule: AgUiRepair['rule'], index: number, message: string): void => {
    this.#repairs.push({ rule, at: `messages[${index}]`, message })
  }
}

export const changedText = 'the journal has it with other content'

/** A client that has an earlier version of the message does not know about its edit, and has not changed anything. */
function editOf(view: ThreadView, message: UserMessage, index: number): ClientEdit | undefined {
  const versions = view.versionsOf(message.id)
  const isKnown = versions.some(({ content }) => equal(partsOf(content), partsOf(message.content)))
  if (versions.length === 0 || isKnown || isEmptyMessage(message)) return undefined
  const input = view.inputNamed(message.id)
  return input === undefined ? undefined : { input, index, message }
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

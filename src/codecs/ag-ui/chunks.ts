import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Finish, Replies, Reply, ReplyDelta, ReplyFold } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { MessagesFold } from './messages-fold.ts'
import { read, toReply } from './reply.ts'

const events = new Set<unknown>([
  ...['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED'],
  ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'TEXT_MESSAGE_CHUNK'],
  ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_CHUNK', 'TOOL_CALL_RESULT'],
  ...['STATE_SNAPSHOT', 'STATE_DELTA', 'MESSAGES_SNAPSHOT', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'RAW', 'CUSTOM'],
  ...['REASONING_START', 'REASONING_END', 'REASONING_ENCRYPTED_VALUE', 'REASONING_MESSAGE_CHUNK'],
  ...['REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END'],
  ...['THINKING_START', 'THINKING_END', 'THINKING_TEXT_MESSAGE_START', 'THINKING_TEXT_MESSAGE_CONTENT'],
  ...['THINKING_TEXT_MESSAGE_END', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_ERROR'],
])

const recognises = (chunk: unknown): boolean => isRecord(chunk) && events.has(chunk.type)

const fold = (): ReplyFold => new RunFold()

export const replies: Replies = { read, recognises, fold }

/** A run: the messages that its events make. */
class RunFold implements ReplyFold {
  failure: unknown
  readonly #messages = new MessagesFold()
  /** The ids of the messages that the run began with. */
  #before = new Set<string>()
  #snapshot: readonly unknown[] | undefined
  #finish: Finish = 'cut'
  #id: unknown
  #usage: unknown

  push(event: unknown): readonly ReplyDelta[] {
    if (!isRecord(event)) return []
    switch (event.type) {
      case 'RUN_STARTED':
        this.#start(event)
        return []
      case 'RUN_FINISHED':
        this.#finish = finishOf(event.outcome)
        this.#usage = event.usage
        return []
      case 'RUN_ERROR':
        this.failure ??= event
        this.#usage = event.usage
        return []
      case 'MESSAGES_SNAPSHOT':
        if (Array.isArray(event.messages)) this.#snapshot = event.messages
        return []
    }
    return this.#messages.push(event, text(event.type))
  }

  end(): Reply {
    const { written } = this.#messages
    const messages = written.length > 0 ? written : this.#shown()
    const finish = this.failure === undefined ? this.#finish : 'cut'
    return toReply(messages, finish, { id: this.#id, usage: this.#usage })
  }

  #start({ runId, input }: Fields): void {
    this.#id = runId
    const messages = isRecord(input) && Array.isArray(input.messages) ? input.messages : []
    this.#before = new Set(messages.filter(isRecord).map(({ id }) => idText(id)))
  }

  /** An agent that does not stream sends the whole conversation: the new messages follow the last user message. */
  #shown(): readonly unknown[] {
    const all = this.#snapshot?.filter(isRecord) ?? []
    const asked = all.findLastIndex(({ role }) => role === 'user')
    return all.slice(asked + 1).filter(({ id }) => !this.#before.has(idText(id)))
  }
}

/** A run that waits for input continues later; a stopped one never ended. */
function finishOf(outcome: unknown): Finish {
  const type = isRecord(outcome) ? outcome.type : undefined
  return type === 'interrupt' ? 'pause' : type === 'cancelled' ? 'cut' : 'stop'
}

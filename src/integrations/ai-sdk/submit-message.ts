import { AntiphonError, type ErrorCode } from '../../core/errors.ts'
import type { Journal, SubmitOptions, Thread } from '../../journal/index.ts'
import { retryKey } from './chat-fold.ts'
import type { ChatRequest, UserMessage } from './chat-request.ts'
import type { AnswerTarget } from './chat-stream.ts'
import { loadChat } from './load-ui-messages.ts'
import { type FoundMessage, isSameContent, type StoredChat } from './stored-chat.ts'

export interface MessageSubmission {
  readonly journal: Journal
  /** The thread in the format of chat messages. */
  readonly chat: Thread
  readonly request: ChatRequest
  readonly message: UserMessage
  readonly options: Pick<SubmitOptions, 'whenApproving' | 'whenBusy'>
}

/**
 * Submits a message, edits it, or has it answered again, and returns which answer the client gets. A request that is sent again while
 * its answer is in progress is carried out once.
 */
export async function submitMessage(submission: MessageSubmission): Promise<AnswerTarget> {
  const { chat, request } = submission
  const { trigger, messageId } = request
  // Most messages are new: for these the chat is not read.
  if (trigger !== regenerates && messageId === undefined && (await chat.branches()).length === 1)
    try {
      return await submit(submission)
    } catch (error) {
      // Without a trigger, the client has edited a message. With the trigger to submit, it has used an id twice.
      if (trigger !== undefined || !hasCode(error, 'key-taken')) throw error
    }
  for (;;)
    try {
      return await submitTo(await loadChat(submission.journal, chat.name), submission)
    } catch (error) {
      // The same request, or one of another client, was faster.
      if (!hasCode(error, 'branch-changed')) throw error
    }
}

async function submit({ chat, message, options }: MessageSubmission): Promise<AnswerTarget> {
  const { seq } = await chat.submit(message, { ...keyOf(message), ...options })
  return { input: seq }
}

/** Decides on the chat as it is stored. Throws `branch-changed` if it was continued on another branch meanwhile. */
async function submitTo(stored: StoredChat, submission: MessageSubmission): Promise<AnswerTarget> {
  const { message, request } = submission
  const { trigger, messageId } = request
  const isRegenerating = trigger === regenerates
  const known = message.id === undefined ? undefined : stored.find(message.id)
  if (!known) {
    // The client may give an edited message a new id.
    const replaced = isRegenerating || messageId === undefined ? undefined : stored.find(messageId)
    return replaced ? edit(stored, replaced, submission, keyOf(message)) : submit(submission)
  }
  const isSame = isSameContent(known.parts, message.parts)
  const isPlain = !isRegenerating && messageId === undefined
  const isHere = known.branch === stored.branch
  if (isPlain && (isSame ? !isHere : trigger !== undefined)) return submit(submission)
  if (!isSame) return edit(stored, known, submission)
  if (isRegenerating) return answerAgain(stored, known, submission)
  // A client that edits a message removes what follows it.
  return isPlain || (isHere && !known.isFollowed) ? answerOf(stored, known) : regenerate(stored, known, submission)
}

async function answerAgain(
  stored: StoredChat,
  known: FoundMessage,
  submission: MessageSubmission,
): Promise<AnswerTarget> {
  const { chat, message, request } = submission
  const { branch, admitted, isFollowed } = known
  if (branch !== stored.branch) return regenerate(stored, known, submission)
  // It is about to be answered again.
  if (admitted === undefined) return answerOf(stored, known)
  const isNamed = request.messageId === undefined ? undefined : stored.hasAnswer(request.messageId, branch)
  const end = stored.endAfter(admitted)
  const isRunning = !end && !stored.isParked
  // The named answer was regenerated already, or the answer in progress is the one that was asked for.
  if (isNamed === false || (isRunning && !isNamed)) return answerOf(stored, known)
  // The model continues after what a failed turn has done.
  if (!isFollowed && end && (end.status === 'failed' || end.status === 'interrupted')) {
    const { seq } = await chat.submit(message, { key: retryKey(end.turn, branch, message.id ?? '') })
    return { input: seq }
  }
  return regenerate(stored, known, submission)
}

async function regenerate(
  stored: StoredChat,
  { first }: FoundMessage,
  { chat }: MessageSubmission,
): Promise<AnswerTarget> {
  const { branch, head } = stored
  await chat.regenerate({ input: first, ifCurrent: branch })
  return { input: first, since: head }
}

async function edit(
  stored: StoredChat,
  { first }: FoundMessage,
  { chat, message }: MessageSubmission,
  key: { key?: string } = {},
): Promise<AnswerTarget> {
  const { seq } = await chat.edit(stored.editable(first), message, { ...key, ifCurrent: stored.branch })
  return { input: seq }
}

/** The answer that the message has, or gets next. */
const answerOf = (stored: StoredChat, { branch, input, admitted }: FoundMessage): AnswerTarget => ({
  input,
  since: admitted === undefined ? stored.forkOf(branch) : admitted - 1,
})

const keyOf = ({ id }: UserMessage): { key?: string } => (id === undefined ? {} : { key: id })

const hasCode = (error: unknown, code: ErrorCode): boolean => AntiphonError.is(error) && error.code === code

const regenerates = 'regenerate-message'

import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { isRetry } from './chat-fold.ts'

/** What `useChat` sends: a user message, decisions on calls of the assistant, or both. */
export interface ChatRequest {
  readonly id: string
  /** What the client asks for; undefined if it sends a body of its own without it. */
  readonly trigger?: string
  /** The message that is edited, or the message or answer that is to be answered again. */
  readonly messageId?: string
  /** The last message, if it is a user message. */
  readonly message?: UserMessage
  /** The id of the last message, if it is an answer that the client wants continued. */
  readonly answer?: unknown
  readonly decisions: readonly ChatDecision[]
  readonly outputs: readonly ClientOutput[]
  /** The ids of the approvals that the client shows, decided or not. */
  readonly approvals: readonly string[]
}

export interface UserMessage {
  readonly id?: string
  readonly role: 'user'
  readonly parts: readonly unknown[]
}

export interface ChatDecision {
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string
  /** The input that the call is to run with, if the client has changed it. */
  readonly input?: unknown
}

/** The output of a tool that the client ran. */
export interface ClientOutput {
  readonly toolCallId: string
  readonly output: unknown
  readonly isError: boolean
}

/** Reads the body of a request: all messages of the chat, or only the last one as `message`. */
export function readChatRequest(body: unknown): ChatRequest {
  if (!isRecord(body) || typeof body.id !== 'string') throw malformed('the body has no chat id')
  const messages = Array.isArray(body.messages) ? body.messages : []
  const last: unknown = body.message ?? messages.at(-1)
  const assistants = [...messages, last].filter(isRecord).filter(({ role }) => role === 'assistant')
  const parts = assistants.flatMap(({ parts }) => (Array.isArray(parts) ? parts.filter(isRecord) : []))
  return {
    id: body.id,
    ...(typeof body.trigger === 'string' ? { trigger: body.trigger } : {}),
    ...(typeof body.messageId === 'string' ? { messageId: body.messageId } : {}),
    decisions: parts.flatMap(part => readDecision(part, isRecord(body.inputs) ? body.inputs : {})),
    outputs: parts.flatMap(readOutput),
    approvals: parts.flatMap(({ approval }) =>
      isRecord(approval) && typeof approval.id === 'string' ? [approval.id] : [],
    ),
    ...readMessage(last),
  }
}

function readMessage(last: unknown): Pick<ChatRequest, 'message' | 'answer'> {
  if (!isRecord(last)) throw malformed('the request has no message')
  if (last.role === 'assistant') return { answer: last.id }
  if (last.role !== 'user' || !Array.isArray(last.parts)) throw malformed('the last message is not a user message')
  if (last.id !== undefined && typeof last.id !== 'string') throw malformed('the message id must be a string')
  if (isRetry(last.id)) throw malformed('the message id is reserved for the journal')
  if (last.parts.length === 0 || !last.parts.every(isSayable))
    throw malformed('the message may contain only text, file and data parts')
  return { message: { ...last, role: 'user', parts: last.parts } }
}

/** A user message must not contain parts of the assistant or its tools. */
const isSayable = (part: unknown): boolean =>
  isRecord(part) && typeof part.type === 'string' && /^(text$|file$|data-)/.test(part.type)

/** `inputs` has the changed inputs of approved calls, by the ids of the approvals. */
function readDecision(
  { state, approval }: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, unknown>>,
): ChatDecision[] {
  if (state !== 'approval-responded' || !isRecord(approval)) return []
  const { id, approved, reason } = approval
  if (typeof id !== 'string' || typeof approved !== 'boolean') return []
  const input = Object.hasOwn(inputs, id) ? { input: inputs[id] } : {}
  return [{ approvalId: id, approved, ...(typeof reason === 'string' ? { reason } : {}), ...input }]
}

function readOutput(part: Readonly<Record<string, unknown>>): ClientOutput[] {
  const { state, toolCallId, output, errorText, providerExecuted } = part
  if (typeof toolCallId !== 'string' || providerExecuted === true) return []
  if (state === 'output-available') return [{ toolCallId, output, isError: false }]
  return state === 'output-error' ? [{ toolCallId, output: errorText, isError: true }] : []
}

const malformed = (message: string): AntiphonError =>
  new AntiphonError('bad-request', message, { hint: 'send what useChat sends: { id, messages } or { id, message }' })

import type { Tool } from 'ai'
import type { ErrorData } from '../../journal/entry.ts'
import type { ModelRequest, RunOptions, SubmitOptions, ThreadOptions } from '../../journal/index.ts'
import type { ChatTools } from './chat-tools.ts'

/** The request for the model of a chat. */
export interface ChatModelRequest<Declared> extends ModelRequest {
  /** The tools without `execute`: the journal runs them. */
  readonly tools: Declared
}

/** The tools as the AI SDK takes them: agents are declared like other tools. */
export type ModelTools<Declared extends ChatTools> = {
  readonly [Name in keyof Declared]: 'agent' extends keyof Declared[Name] ? Tool : Declared[Name]
}

export interface ChatHandlerOptions<Declared extends ChatTools = ChatTools>
  extends Pick<RunOptions, 'maxSteps' | 'compact' | 'agentLimits'>,
    Pick<SubmitOptions, 'whenApproving'> {
  /** Calls the model: returns what `streamText` or `generateText` returns, for one step. */
  readonly model: (request: ChatModelRequest<ModelTools<Declared>>) => unknown
  /** The tools of the library. Without `execute` the client runs a call; with `needsApproval`, or `approval` as in `run`, the user is asked first; an `agent()` of the journal runs it in a thread of its own. */
  readonly tools?: Declared
  /** The provider of the thread, and how the thread is kept. */
  readonly thread?: Omit<ThreadOptions, 'format'>
  /** Whether the sender of the request may see this chat: nothing returned means no. By default everyone who knows the id may. */
  readonly authorize?: (request: Request, id: string) => boolean | Promise<boolean>
  /**
   * What happens to a message submitted during an answer: it waits for the next turn (default), joins at the next step, or
   * stops the answer.
   */
  readonly whenBusy?: 'queue' | 'steer' | 'interrupt'
  /** When a client disconnects: the answer continues and can be resumed (default), or it stops. */
  readonly onDisconnect?: 'continue' | 'stop'
  /**
   * How long the stream of an answer may wait for a client that does not read. 30 s by default. Then it ends with an error, as if the
   * client had disconnected; the answer can be resumed.
   */
  readonly unreadMs?: number
  /** The error text for the client. By default it says only that there was an error. */
  readonly errorText?: (error: ErrorData) => string
  /** Called for every error of a model, a tool or the journal. By default this is a process warning. */
  readonly onError?: (error: unknown) => void
  /** Keeps a serverless function alive until the answer is recorded. */
  readonly waitUntil?: (done: Promise<unknown>) => void
  /**
   * How long to wait for another owner of the thread that may have crashed, when no client waits: 20 s by default, more than
   * its lease.
   */
  readonly takeOverMs?: number
}

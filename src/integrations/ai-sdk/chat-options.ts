import type { ErrorData } from '../../journal/entry.ts'
import type { ModelRequest, RunOptions, SubmitOptions, ThreadOptions } from '../../journal/index.ts'
import type { ChatTools } from './chat-tools.ts'

/** What the model of a chat is asked with. */
export interface ChatModelRequest<Declared extends ChatTools> extends ModelRequest {
  /** The tools without what runs them: the broker does. */
  readonly tools: Declared
}

export interface ChatHandlerOptions<Declared extends ChatTools = ChatTools>
  extends Pick<RunOptions, 'maxSteps'>,
    Pick<SubmitOptions, 'whenApproving'> {
  /** Asks the model: gives back what `streamText` or `generateText` does, for one step. */
  readonly model: (request: ChatModelRequest<Declared>) => unknown
  /** The tools of the library. Without `execute` the client runs a call; with `needsApproval` the user is asked first. */
  readonly tools?: Declared
  /** Who reads the conversation, and how the thread is kept. */
  readonly thread?: Omit<ThreadOptions, 'format'>
  /** Whether the one who asks may see this chat: only a clear yes lets it in. By default everybody may who knows its id. */
  readonly authorize?: (request: Request, id: string) => boolean | Promise<boolean>
  /** What is said while an answer is being given: waits for the next turn (default), joins at the next step, or stops it. */
  readonly whenBusy?: 'queue' | 'steer' | 'interrupt'
  /** A client that goes away: the answer is given all the same, and can be resumed (default), or it stops. */
  readonly onDisconnect?: 'continue' | 'stop'
  /** What the client is told of an error. By default no more than that there was one. */
  readonly errorText?: (error: ErrorData) => string
  /** Hears of every error of a model, a tool or the journal. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
  /** Keeps a serverless function alive until the answer is recorded. */
  readonly waitUntil?: (done: Promise<unknown>) => void
  /**
   * How long to wait for another owner of the thread that may have crashed, where no client waits: 20 s by default, more than
   * its lease.
   */
  readonly takeOverMs?: number
}

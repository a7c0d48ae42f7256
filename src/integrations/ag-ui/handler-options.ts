import type { AGUIEvent, RunAgentInput } from '@ag-ui/core'
import type { CodecId } from '../../codecs/index.ts'
import type { EditClass } from '../../core/choices.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { ModelRequest } from '../../journal/ask-models.ts'
import type { SubmitOptions, ThreadOptions } from '../../journal/thread-options.ts'
import type { Tool } from '../../journal/tool.ts'
import type { ToolContext } from '../../journal/tool-run.ts'

/** The request to a model: the messages of the thread, and what the client sent. */
export interface AgUiModelRequest extends ModelRequest, AgUiRun {}

/** The run of a model call or a tool call. A tool gets it in its context. */
export interface AgUiRun {
  /** As the client sent it: tools, context, state and forwarded properties. Do not trust it. */
  readonly input: RunAgentInput
  /** The current state of the application. */
  readonly state: unknown
  /** Replaces the state, and sends it to the client. */
  setState(state: unknown): void
  /** Sends an event of the application: state deltas, activities, custom and raw events. */
  send(event: AGUIEvent): void
}

/** A tool of the server. */
export interface AgUiTool extends Omit<Tool, 'execute'> {
  execute?(input: never, context: ToolContext & { readonly run: AgUiRun }): unknown
}

export interface AgUiOptions {
  /** A function from messages to the response of a provider's SDK, whole or as a stream. */
  readonly model: (request: AgUiModelRequest) => unknown
  /**
   * The tools of the server; without `execute` a call waits for `thread.settle`. Other tools that the client sends are run by the client.
   */
  readonly tools?: Readonly<Record<string, AgUiTool>>
  /** Options for the threads, such as `{ for: 'anthropic' }`. */
  readonly thread?: ThreadOptions
  /**
   * The name of the journal thread for this client; undefined denies access. By default it is the `threadId` that the client sent, so
   * every client that knows the id may read and write the thread.
   */
  readonly threadFor?: (input: RunAgentInput, request: Request) => string | undefined | Promise<string | undefined>
  readonly maxSteps?: number
  /** The format of the responses, if it is not the thread's. */
  readonly format?: CodecId
  /** The provider of the responses, if it is not the thread's. */
  readonly for?: DialectId
  /** What happens to a message that comes during a turn: it waits for the next turn (default), joins at the next step, interrupts the turn, or is refused. */
  readonly whenBusy?: NonNullable<SubmitOptions['whenBusy']>
  /** What happens to a message that comes while calls wait for approval: it waits for the decisions (default), or denies the calls. */
  readonly whenApproving?: NonNullable<SubmitOptions['whenApproving']>
  /** Whether a turn is interrupted when its client disconnects (default), or continues. */
  readonly whenGone?: 'interrupt' | 'continue'
  /**
   * How the history of a client is treated if the journal does not have the thread yet: only the new messages are used (default), or it is
   * repaired and imported. With `adopt`, a client can forge assistant messages.
   */
  readonly unknownHistory?: 'leave' | 'adopt'
  /** Whether reasoning is sent to the client. True by default. */
  readonly reasoning?: boolean
  /** The interval of keep-alive comments, so that proxies do not close an idle connection. 15 s by default. */
  readonly keepAliveMs?: number
  /**
   * How long events may wait for a client that does not read. 30 s by default. Then its stream ends with RUN_ERROR, as if it had
   * disconnected; what it missed is recorded.
   */
  readonly unreadMs?: number
  /** How much memory waiting events may take, not counting one snapshot of the thread. Beyond it the stream ends as well. 64 MB by default. */
  readonly unreadBytes?: number
  /** The message to the client for errors that are not its own. By default it only says that the run failed. */
  readonly errorText?: (error: unknown) => string
  /** Called with what the client sent and the journal did not use. */
  readonly onRepair?: (report: AgUiReport) => void
  /** Called with every error. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
}

/** What was left out of what a client sent. */
export interface AgUiReport {
  readonly thread: string
  readonly run: string
  readonly repairs: readonly AgUiRepair[]
}

export interface AgUiRepair {
  /** The defect: `orphan-result`, `duplicate-result`, `foreign-message`, `changed-message`, `late-answer`, `media-result`, or a repair rule. */
  readonly rule: string
  /** The class of the edit, for repair rules; all other defects leave content out. */
  readonly class?: EditClass
  /** The path in the input. */
  readonly at: string
  readonly message: string
}

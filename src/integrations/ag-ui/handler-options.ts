import type { Event, RunAgentInput } from '@ag-ui/core'
import type { CodecId } from '../../codecs/index.ts'
import type { EditClass } from '../../core/choices.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { ModelRequest } from '../../journal/run.ts'
import type { SubmitOptions, ThreadOptions } from '../../journal/thread.ts'
import type { Tool } from '../../journal/tool.ts'
import type { ToolContext } from '../../journal/tool-run.ts'

/** What a model is asked with: the messages of the thread, and what the client sent. */
export interface AgUiModelRequest extends ModelRequest, AgUiRun {}

/** The run that a model or a tool works for. A tool finds it in its context. */
export interface AgUiRun {
  /** As the client sent it: its tools, its context, its state, its forwarded properties. None of it is trusted. */
  readonly input: RunAgentInput
  /** The state of the application, as it is now. */
  readonly state: unknown
  /** Replaces the state, and tells the client. */
  setState(state: unknown): void
  /** Sends an event of the application's own: state deltas, activities, custom and raw events. */
  send(event: Event): void
}

/** A tool of the server. */
export interface AgUiTool extends Omit<Tool, 'execute'> {
  execute?(input: never, context: ToolContext & { readonly run: AgUiRun }): unknown
}

export interface AgUiOptions {
  /** Any function from messages to what a provider's SDK gives back, whole or as a stream. */
  readonly model: (request: AgUiModelRequest) => unknown
  /**
   * The tools of the server; without `execute` a call waits for `thread.settle`. Those that the client sends beside them are its
   * own: it runs them.
   */
  readonly tools?: Readonly<Record<string, AgUiTool>>
  /** How the threads are read: `{ for: 'anthropic' }`. */
  readonly thread?: ThreadOptions
  /**
   * The name of the thread in the journal that this client may use; nothing if it may not. By default it is the
   * `threadId` that the client sent: whoever knows one may read and write it.
   */
  readonly threadFor?: (input: RunAgentInput, request: Request) => string | undefined | Promise<string | undefined>
  readonly maxSteps?: number
  /** The wire of the responses, if it is not the thread's. */
  readonly format?: CodecId
  /** Who answers, if it is not the thread's reader. */
  readonly for?: DialectId
  /** A message that comes while a turn runs: waits for the next one (default), is said at the next step, stops the turn, or is refused. */
  readonly whenBusy?: NonNullable<SubmitOptions['whenBusy']>
  /** A message that comes instead of an answer: waits for the answer (default), or denies the calls and is said. */
  readonly whenApproving?: NonNullable<SubmitOptions['whenApproving']>
  /** A client that goes away stops its turn (default), or the turn goes on without it. */
  readonly whenGone?: 'interrupt' | 'continue'
  /**
   * What a client brings as history of a thread that the journal does not have yet: only its new words count (default), or it
   * is healed and written down as if it had happened here. Then a client can say what it likes in the name of the assistant.
   */
  readonly unknownHistory?: 'leave' | 'adopt'
  /** What the model thinks is shown to the client: true by default. */
  readonly reasoning?: boolean
  /** How often a comment is sent while nothing happens, so that nothing on the way closes the connection; 15 s by default. */
  readonly keepAliveMs?: number
  /** What a client is told of an error that is not Antiphon's own. By default only that there was one. */
  readonly errorText?: (error: unknown) => string
  /** Hears of what the client sent and the journal did not take. */
  readonly onRepair?: (report: AgUiReport) => void
  /** Hears of every error. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/** What was left out of what a client sent. */
export interface AgUiReport {
  readonly thread: string
  readonly run: string
  readonly repairs: readonly AgUiRepair[]
}

export interface AgUiRepair {
  /** The defect: `orphan-result`, `duplicate-result`, `foreign-message`, `changed-message`, `late-answer`, `media-result`, or a rule of healing. */
  readonly rule: string
  /** What the edit does to content, if a rule of healing made it; all others leave content out. */
  readonly class?: EditClass
  /** Where it stands in the input. */
  readonly at: string
  readonly message: string
}

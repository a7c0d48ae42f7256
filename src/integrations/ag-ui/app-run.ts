import type { AGUIEvent as Event, RunAgentInput } from '@ag-ui/core'
import { AntiphonError } from '../../core/errors.ts'
import type { Tool, Tools } from '../../journal/tool.ts'
import { EventType } from './event-type.ts'
import type { AgUiRun, AgUiTool } from './handler-options.ts'

/** The run as the application sees it: it can change the state and send events other than messages. */
export class AppRun implements AgUiRun {
  readonly input: RunAgentInput
  readonly #send: (event: Event) => void
  #state: unknown
  /** The state was changed by a delta, so its whole value is unknown. */
  #isPatched = false

  constructor(input: RunAgentInput, send: (event: Event) => void) {
    this.input = input
    this.#state = input.state
    this.#send = send
    this.setState = this.setState.bind(this)
    this.send = this.send.bind(this)
  }

  get state(): unknown {
    return this.#state
  }

  setState(state: unknown): void {
    this.#state = structuredClone(state ?? null)
    this.#isPatched = false
    this.#send({ type: EventType.STATE_SNAPSHOT, snapshot: this.#state })
  }

  send(event: Event): void {
    if (!allowed.has(event.type))
      throw new AntiphonError('reserved-event', `${event.type} is sent only by the handler`, {
        hint: `an application can send ${[...allowed].join(', ')}`,
      })
    if (event.type === EventType.STATE_SNAPSHOT) this.setState(event.snapshot)
    else {
      if (event.type === EventType.STATE_DELTA) this.#isPatched = true
      this.#send(event)
    }
  }

  /** A run that waits for a decision sends its state, so that the client returns it with the decision. */
  leaveState(): void {
    if (this.#state !== undefined && !this.#isPatched)
      this.#send({ type: EventType.STATE_SNAPSHOT, snapshot: this.#state })
  }
}

const allowed = new Set<EventType>([
  EventType.STATE_SNAPSHOT,
  EventType.STATE_DELTA,
  EventType.ACTIVITY_SNAPSHOT,
  EventType.ACTIVITY_DELTA,
  EventType.CUSTOM,
  EventType.RAW,
])

/** The tools of the server, each with the run in its context, and the tools of the client, which are not run here. */
export function toolsOf(tools: Readonly<Record<string, AgUiTool>>, run: AppRun): Tools {
  const clients = run.input.tools.filter(({ name }) => !Object.hasOwn(tools, name)).map(({ name }) => [name, {}])
  return Object.fromEntries([...clients, ...Object.entries(tools).map(([name, tool]) => [name, within(tool, run)])])
}

function within({ execute, ...tool }: AgUiTool, run: AppRun): Tool {
  if (!execute) return tool
  return { ...tool, execute: (input, context) => execute.call(tool, input, { ...context, run }) }
}

import type { Message, RunAgentInput } from '@ag-ui/core'
import { repair } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'

export interface HealAgUiOptions extends Omit<HealOptions, 'format' | 'continues'> {
  /** Called with the error if messages could not be repaired and were passed on unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
}

/**
 * Repairs the messages of an AG-UI client, for backends without `agUiHandler`. A healthy list is returned as the same object.
 */
export function healAgUiMessages<Messages extends readonly Message[]>(
  messages: Messages,
  options: HealAgUiOptions = {},
): Messages {
  const { onRepair = warnOfLoss, onError = warn, ...choices } = options
  const asked = { for: 'lenient', ...choices, format: 'ag-ui' } as const
  planFor([], asked)
  try {
    const { messages: healed, ...report } = repair(messages, asked)
    if (report.changed) notify(onRepair, report)
    return healed
  } catch (error) {
    notify(onError, error)
    return messages
  }
}

/**
 * A middleware for `agent.use(...)`: repairs the messages of every run before they are sent. If a run answers interrupts, the calls of the
 * last step stay open.
 */
export function healAgUiRuns(options: HealAgUiOptions = {}): AgUiMiddleware {
  healAgUiMessages([], options)
  return (input, next) => {
    const pending = input.resume && input.resume.length > 0 ? 'keep' : 'answer'
    const messages = healAgUiMessages(input.messages, { pending, ...options })
    return next.run(messages === input.messages ? input : { ...input, messages })
  }
}

/** The middleware type of `agent.use` in `@ag-ui/client`. */
export type AgUiMiddleware = <Events>(input: RunAgentInput, next: { run(input: RunAgentInput): Events }) => Events

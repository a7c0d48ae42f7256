import type { Message, RunAgentInput } from '@ag-ui/core'
import { repair } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'

export interface HealAgUiOptions extends Omit<HealOptions, 'format' | 'continues'> {
  /** Hears why messages went on as they were although they might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/**
 * Heals the messages of an AG-UI client, for whoever keeps a backend of its own. Healthy ones come back as the very same
 * list.
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
 * A middleware for `agent.use(...)`: heals the messages of every run before they go out. While a run answers interrupts, the
 * calls of the last step are still open, and stay so.
 */
export function healAgUiRuns(options: HealAgUiOptions = {}): AgUiMiddleware {
  healAgUiMessages([], options)
  return (input, next) => {
    const pending = input.resume && input.resume.length > 0 ? 'keep' : 'answer'
    const messages = healAgUiMessages(input.messages, { pending, ...options })
    return next.run(messages === input.messages ? input : { ...input, messages })
  }
}

/** What `agent.use` of `@ag-ui/client` takes. */
export type AgUiMiddleware = <Events>(input: RunAgentInput, next: { run(input: RunAgentInput): Events }) => Events

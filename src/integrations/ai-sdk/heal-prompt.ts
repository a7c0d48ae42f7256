import { isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { isHealthy } from '../../heal/heal.ts'
import { planFor } from '../../heal/options.ts'
import { healMessageLimits, joinReports } from '../../heal/request/heal-limits.ts'
import type { RequestOptions } from '../../heal/request/heal-request.ts'
import { repairWithin } from '../../heal/segments/repair-segments.ts'
import { type CallOptions, continuesState, readSettings, writeSettings } from './call-options.ts'
import { holdApprovals } from './hold-approvals.ts'

/** Heals the call options of a model: the prompt, and the settings that depend on it. */
export function healPrompt<Options extends CallOptions>(
  options: Options,
  dialect: DialectId,
  choices: RequestOptions,
): Report & { readonly options: Options } {
  const { held, release } = holdApprovals(options.prompt)
  const plan = planFor(held, { continues: continuesState(options), ...choices, for: dialect, format: 'ai-sdk' })
  const within = healMessageLimits(held, plan, undefined, choices.resize)
  const history = within?.messages ?? held
  const settings = readSettings(options)
  const { undeclaredTools, thinkingSetting } = plan.facts
  const isAlone =
    (settings.tools === 'declared' || undeclaredTools === 'accept') &&
    (settings.thinking === 'free' || thinkingSetting === 'free')
  const {
    messages,
    settings: after = settings,
    ...found
  } = isAlone && isHealthy(history, plan)
    ? { messages: history, repairs: [], remaining: [] }
    : repairWithin(history, settings, plan)
  const { repairs, remaining } = joinReports(within, { changed: false, ...found })
  if (repairs.length === 0) return { options, changed: false, repairs, remaining }
  const prompt = asPrompt((found.repairs.length === 0 ? history : messages).map(release))
  const healed = { ...options, prompt, ...writeSettings(options, settings, after) }
  return { options: healed, changed: true, repairs, remaining }
}

/**
 * The messages in the form that a model accepts: content is a list of parts, except in system messages, and consecutive
 * results are in one message.
 */
function asPrompt(messages: readonly unknown[]): unknown[] {
  const prompt: unknown[] = []
  for (const message of messages.map(inParts)) {
    const last = prompt.at(-1)
    if (isOfTool(message) && isOfTool(last)) prompt[prompt.length - 1] = join(last, message)
    else prompt.push(message)
  }
  return prompt
}

function inParts(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { role, content } = message
  if (role === 'system')
    return Array.isArray(content) ? { ...message, content: content.map(textOf).join('\n\n') } : message
  if (typeof content !== 'string') return message
  return { ...message, content: content === '' ? [] : [{ type: 'text', text: content }] }
}

const textOf = (part: unknown): string => (isRecord(part) && typeof part.text === 'string' ? part.text : '')

interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly unknown[]
  readonly providerOptions?: object
}

const isOfTool = (message: unknown): message is ToolMessage =>
  isRecord(message) && message.role === 'tool' && Array.isArray(message.content)

/** Provider options of a message, such as a cache mark, move to its last part when another message is appended to it. */
function join(first: ToolMessage, second: ToolMessage): ToolMessage {
  const last = first.content.at(-1)
  const before =
    first.providerOptions && isRecord(last)
      ? first.content.with(-1, {
          ...last,
          providerOptions: { ...first.providerOptions, ...(last.providerOptions as object) },
        })
      : first.content
  const { providerOptions: _, ...message } = first
  return {
    ...message,
    ...(second.providerOptions && { providerOptions: second.providerOptions }),
    content: [...before, ...second.content],
  }
}

import { readThinking } from '../../codecs/shared/envelope.ts'
import { isRecord } from '../../core/conversation.ts'
import type { Settings } from '../../core/settings.ts'

/** The call options of a model, as far as healing reads them: the same in every version of the interface. */
export interface CallOptions {
  readonly prompt: readonly unknown[]
  readonly tools?: readonly unknown[] | undefined
  readonly providerOptions?: object | undefined
  readonly abortSignal?: AbortSignal | undefined
}

/** The settings next to the prompt. Thinking that is not set explicitly is left to the model. */
export function readSettings({ tools = [], providerOptions }: CallOptions): Settings {
  const place = thinkingIn(providerOptions)
  const thinking = readThinking(place?.setting)
  return {
    tools: tools.length > 0 ? 'declared' : 'none',
    thinking: thinking === 'unset' ? 'free' : thinking,
    system: [],
  }
}

/** The options with the changes between two settings. */
export function writeSettings(options: CallOptions, before: Settings, after: Settings): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  if (typeof after.tools !== 'string') {
    changes.tools = after.tools.map(name => ({
      type: 'function',
      name,
      inputSchema: { type: 'object', properties: {} },
    }))
    changes.toolChoice = { type: 'none' }
  }
  const place = thinkingIn(options.providerOptions)
  if (after.thinking !== before.thinking && place) {
    const { provider, key, providerSettings } = place
    changes.providerOptions = {
      ...options.providerOptions,
      [provider]: { ...providerSettings, [key]: { type: 'disabled' } },
    }
  }
  return changes
}

/** Whether the provider stores a part of the conversation, which may contain the calls of results. */
export const continuesState = ({ providerOptions }: CallOptions): boolean =>
  Object.values(providerOptions ?? {}).some(
    providerSettings => isRecord(providerSettings) && heldBy.some(key => Boolean(providerSettings[key])),
  )

const heldBy = ['previousResponseId', 'conversation', 'cachedContent']

/** Where thinking is configured for providers of Claude models. */
const thinkingPlaces = [
  ['anthropic', 'thinking'],
  ['amazonBedrock', 'reasoningConfig'],
  ['bedrock', 'reasoningConfig'],
] as const

function thinkingIn(providerOptions: object | undefined) {
  const options = (providerOptions ?? {}) as Record<string, unknown>
  for (const [provider, key] of thinkingPlaces) {
    const providerSettings = options[provider]
    if (isRecord(providerSettings) && providerSettings[key] !== undefined)
      return { provider, key, providerSettings, setting: providerSettings[key] }
  }
  return undefined
}

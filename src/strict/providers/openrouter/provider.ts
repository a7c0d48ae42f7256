import type { HistoryEntry } from '../../judge/entry.ts'
import type { RejectionReason } from '../../judge/rejection-reason.ts'
import { moonshotThinks, type Thinks } from '../../judge/thinking.ts'
import type { Validator } from '../../judge/validator.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'
import type { Strictness } from '../../strictness.ts'
import { readAnthropicHistory } from '../anthropic/history.ts'
import { validateAnthropic } from '../anthropic/judge.ts'
import { anthropicMessages } from '../anthropic/reading-messages.ts'
import { anthropicShape } from '../anthropic/shape.ts'
import { plainShape } from '../hosted/shape.ts'
import { validateMinimax } from '../minimax/judge.ts'
import { minimaxShape } from '../minimax/shape.ts'
import { validateMoonshot } from '../moonshot/judge.ts'
import { openaiShape } from '../openai/shape.ts'
import { validateOpenaiResponses } from '../openai-responses/judge.ts'
import { midstreamShape, wrappedShape } from './shape.ts'

/** A host that OpenRouter forwards to. */
interface Upstream {
  name: string
  validate: Validator
  shape(reason: RejectionReason, request: StrictRequest): ProviderFailure
  /** How its body is indented. */
  indent?: number
  /** It rejects only after the stream began. */
  isLate?: true
  /** If it requires the thinking of its models back, they think. */
  thinks?: Thinks
}

/** By the first word of the model's name. For the others no rejection was seen. */
const upstreams = new Map(
  Object.entries<Upstream>({
    anthropic: {
      name: 'Anthropic',
      validate(_chat, { messages: chat, body: _, ...raw }) {
        const messages = anthropicMessages(chat)
        const found = validateAnthropic(readAnthropicHistory(messages), { ...raw, format: 'anthropic', messages })
        return found.filter(({ fact }) => paired.has(fact))
      },
      shape: anthropicShape,
    },
    openai: {
      name: 'OpenAI',
      // OpenRouter uses OpenAI's Responses API.
      validate: (chat, raw) => validateOpenaiResponses(chat, raw).filter(({ fact }) => paired.has(fact)),
      shape: openaiShape,
      indent: 2,
    },
    minimax: { name: 'Minimax', validate: validateMinimax, shape: minimaxShape, isLate: true },
    moonshotai: {
      name: 'Moonshot AI',
      validate: (chat, raw) => validateMoonshot(chat.map(withThoughts), raw),
      shape: plainShape,
      thinks: moonshotThinks,
    },
  }),
)

/** Other errors may be repaired by OpenRouter. */
const paired = new Set([
  ...['an-missing-result', 'an-result-not-first', 'an-orphan', 'an-dup-result'],
  ...['or-missing-output-fn', 'or-orphan-fn'],
])

/** OpenRouter's own fields for thinking are renamed to those of the host. */
function withThoughts(entry: HistoryEntry): HistoryEntry {
  const { reasoning, reasoning_details } = entry.raw
  if (typeof reasoning !== 'string' && !Array.isArray(reasoning_details)) return entry
  return { ...entry, raw: { reasoning_content: reasoning ?? '', ...entry.raw } }
}

const upstreamOf = (model = ''): Upstream | undefined => upstreams.get(model.split('/')[0] ?? '')

/** Whether the reply has thinking, even if it is empty. */
export const openrouterThinks: Thinks = (body, model) => upstreamOf(model)?.thinks?.(body, model) ?? false

/** The host's message, in OpenRouter's format. */
export const openrouterStrictness: Strictness = {
  validate: (chat, raw) => upstreamOf(raw.model)?.validate(chat, raw) ?? [],
  shape(reason, request) {
    const { name, shape, indent, isLate } = upstreamOf(request.model) as Upstream
    const failure = shape(reason, request)
    return isLate && request.stream
      ? midstreamShape(reason.message, failure.status, name)
      : wrappedShape(failure, name, indent)
  },
}

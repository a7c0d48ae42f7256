import type { HistoryEntry } from '../../judge/entry.ts'
import type { RejectionReason } from '../../judge/rejection-reason.ts'
import { moonshotThinks, type Thinks } from '../../judge/thinking.ts'
import type { Validator } from '../../judge/validator.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'
import type { Strictness } from '../../strictness.ts'
import { readAnthropicHistory } from '../anthropic/history.ts'
import { validateAnthropic } from '../anthropic/judge.ts'
import { anthropicMessages } from '../anthropic/reading-messages.ts'
import { anthropicRejection } from '../anthropic/rejection.ts'
import { plainRejection } from '../hosted/rejection.ts'
import { validateMinimax } from '../minimax/judge.ts'
import { minimaxRejection } from '../minimax/rejection.ts'
import { validateMoonshot } from '../moonshot/judge.ts'
import { openaiRejection } from '../openai/rejection.ts'
import { validateOpenaiResponses } from '../openai-responses/judge.ts'
import { midstreamRejection, wrappedRejection } from './rejection.ts'

/** A host that OpenRouter forwards to. */
interface Upstream {
  name: string
  validate: Validator
  rejection(reason: RejectionReason, request: StrictRequest): ProviderFailure
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
      rejection: anthropicRejection,
    },
    openai: {
      name: 'OpenAI',
      // OpenRouter uses OpenAI's Responses API.
      validate: (chat, raw) => validateOpenaiResponses(chat, raw).filter(({ fact }) => paired.has(fact)),
      rejection: openaiRejection,
      indent: 2,
    },
    minimax: { name: 'Minimax', validate: validateMinimax, rejection: minimaxRejection, isLate: true },
    moonshotai: {
      name: 'Moonshot AI',
      validate: (chat, raw) => validateMoonshot(chat.map(withThoughts), raw),
      rejection: plainRejection,
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
  rejection(reason, request) {
    const { name, rejection, indent, isLate } = upstreamOf(request.model) as Upstream
    const failure = rejection(reason, request)
    return isLate && request.stream
      ? midstreamRejection(reason.message, failure.status, name)
      : wrappedRejection(failure, name, indent)
  },
}

import type { Entry } from '../../judge/entry.ts'
import type { Objection } from '../../judge/objection.ts'
import { moonshotThinks, type Thinks } from '../../judge/thinking.ts'
import type { Validator } from '../../judge/validator.ts'
import type { Failure, StrictRequest } from '../../provider.ts'
import type { Strictness } from '../../strictness.ts'
import { readAnthropic } from '../anthropic/history.ts'
import { anthropic } from '../anthropic/judge.ts'
import { anthropicMessages } from '../anthropic/reading-messages.ts'
import { anthropicShape } from '../anthropic/shape.ts'
import { plainShape } from '../hosted/shape.ts'
import { minimax } from '../minimax/judge.ts'
import { minimaxShape } from '../minimax/shape.ts'
import { moonshot } from '../moonshot/judge.ts'
import { openaiShape } from '../openai/shape.ts'
import { openaiResponses } from '../openai-responses/judge.ts'
import { midstreamShape, wrappedShape } from './shape.ts'

/** A host behind OpenRouter. */
interface Upstream {
  name: string
  validate: Validator
  shape(objection: Objection, request: StrictRequest): Failure
  /** How its body is indented. */
  indent?: number
  /** It refuses only after the stream began. */
  isLate?: true
  /** Where it wants the thoughts of its models back, they have some. */
  thinks?: Thinks
}

/** By the first word of the model's name. Of the others no refusal was seen. */
const upstreams = new Map(
  Object.entries<Upstream>({
    anthropic: {
      name: 'Anthropic',
      validate(_chat, { messages: chat, body: _, ...wire }) {
        const messages = anthropicMessages(chat)
        const found = anthropic(readAnthropic(messages), { ...wire, format: 'anthropic', messages })
        return found.filter(({ fact }) => paired.has(fact))
      },
      shape: anthropicShape,
    },
    openai: {
      name: 'OpenAI',
      // OpenRouter asks OpenAI in its Responses API.
      validate: (chat, wire) => openaiResponses(chat, wire).filter(({ fact }) => paired.has(fact)),
      shape: openaiShape,
      indent: 2,
    },
    minimax: { name: 'Minimax', validate: minimax, shape: minimaxShape, isLate: true },
    moonshotai: {
      name: 'Moonshot AI',
      validate: (chat, wire) => moonshot(chat.map(withThoughts), wire),
      shape: plainShape,
      thinks: moonshotThinks,
    },
  }),
)

/** Other faults may well be mended on the way. */
const paired = new Set([
  ...['an-missing-result', 'an-result-not-first', 'an-orphan', 'an-dup-result'],
  ...['or-missing-output-fn', 'or-orphan-fn'],
])

/** OpenRouter's own names for thoughts become those of the host. */
function withThoughts(entry: Entry): Entry {
  const { reasoning, reasoning_details } = entry.wire
  if (typeof reasoning !== 'string' && !Array.isArray(reasoning_details)) return entry
  return { ...entry, wire: { reasoning_content: reasoning ?? '', ...entry.wire } }
}

const upstreamOf = (model = ''): Upstream | undefined => upstreams.get(model.split('/')[0])

/** Whether the reply has thoughts, be they empty. */
export const openrouterThinks: Thinks = (body, model) => upstreamOf(model)?.thinks?.(body, model) ?? false

/** What the host behind OpenRouter says, in OpenRouter's words. */
export const openrouterStrictness: Strictness = {
  validate: (chat, wire) => upstreamOf(wire.model)?.validate(chat, wire) ?? [],
  shape(objection, request) {
    const { name, shape, indent, isLate } = upstreamOf(request.model) as Upstream
    const failure = shape(objection, request)
    return isLate && request.stream
      ? midstreamShape(objection.message, failure.status, name)
      : wrappedShape(failure, name, indent)
  },
}

import { type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { functionCallIn, functionResponseIn, geminiParts } from './history.ts'
import { modelTurns } from './judge-fragments.ts'
import type { GeminiApi } from './judge-parts.ts'

/** The first call of each step since the last user message must be signed. */
export function signatures(raw: RawRequest, api: GeminiApi): RejectionReason[] {
  const { messages: contents, model, state } = raw
  if (!isModel(models.signed, model)) return []
  const from = contents.findLastIndex(isInput)
  const steps = modelTurns(raw).filter(([n]) => n > from)
  return steps.flatMap(step => {
    const parts = step.flatMap(n =>
      geminiParts(contents[n] ?? {}).map((part, k) => ({ part, n, at: `contents[${n}].parts[${k}]` })),
    )
    const first = parts.find(({ part }) => functionCallIn(part))
    if (!first) return []
    const { part, n, at } = first
    const signature = stringOf(part.thoughtSignature ?? part.thought_signature) ?? ''
    if (signature === '') {
      const name = stringOf(functionCallIn(part)?.name) ?? ''
      return [reject(...(api === 'vertex' ? missingVertex(name, n + 1) : missing(name, n + 1)), at)]
    }
    if (!base64.test(signature)) return [rejectPedantically('ge-sig-invalid', 'Corrupted thought signature.', at)]
    const isForeign = state?.signed(signature) !== undefined && !madeForGemini.test(signature)
    return isForeign ? [rejectPedantically('ge-sig-invalid', 'Invalid thought signature.', at)] : []
  })
}

/** Signatures that this server did not make for this model and account, on calls and text, in any turn. */
export const foreignSignatures = (
  { messages: contents, state, issuer }: RawRequest,
  api: GeminiApi,
): RejectionReason[] =>
  contents.flatMap((turn, n) =>
    geminiParts(turn).flatMap((part, k) => {
      const signature = stringOf(part.thoughtSignature ?? part.thought_signature) ?? ''
      if (signature === '' || standIns.has(signature) || !state || state.verifies(signature, issuer)) return []
      const [fact, text] = api === 'vertex' ? voidVertex : voidStudio
      return [reject(fact, text, `contents[${n}].parts[${k}]`)]
    }),
  )

/** The values that disable the check, also as the bytes that Google's own client makes of them. */
const standIns = new Set(
  ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'].flatMap(words => [
    words,
    Buffer.from(words).toString('base64'),
  ]),
)

const voidStudio = ['ge-sig-corrupted', 'Corrupted thought signature.'] as const
const voidVertex = [
  'ge-sig-corrupted-vertex',
  'Unable to submit request because Thought signature is not valid.. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini',
] as const

/** Other user content next to results opens a turn. */
const isInput = (turn: JsonObject): boolean =>
  turn.role !== 'model' && geminiParts(turn).some(part => !functionResponseIn(part))

/** Both base64 alphabets; the value that disables the check is included, too. */
const base64 = /^[a-zA-Z0-9+/_-]+={0,2}$/
const madeForGemini = /^EtcBCtQBAdHtim9/

const missing = (name: string, position: number): [string, string] => [
  'ge-sig-missing',
  `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
]

const missingVertex = (name: string, position: number): [string, string] => [
  'ge-sig-missing-vertex',
  `Unable to submit request because function call \`default_api:${name}\` in the ${position}. content block is missing a \`thought_signature\`. Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures`,
]

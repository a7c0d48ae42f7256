import { type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'
import { callIn, partsOf, resultIn } from './history.ts'
import { modelTurns } from './judge-fragments.ts'
import type { Door } from './judge-parts.ts'

/** The first call of each step since the user last spoke must be signed. */
export function signatures(wire: Wire, door: Door): Objection[] {
  const { messages: contents, model, state } = wire
  if (!isModel(models.signed, model)) return []
  const from = contents.findLastIndex(isInput)
  const steps = modelTurns(wire).filter(([n]) => n > from)
  return steps.flatMap(step => {
    const parts = step.flatMap(n =>
      partsOf(contents[n]).map((part, k) => ({ part, n, at: `contents[${n}].parts[${k}]` })),
    )
    const first = parts.find(({ part }) => callIn(part))
    if (!first) return []
    const { part, n, at } = first
    const signature = stringOf(part.thoughtSignature ?? part.thought_signature) ?? ''
    if (signature === '') {
      const name = stringOf(callIn(part)?.name) ?? ''
      return [refuse(...(door === 'vertex' ? missingVertex(name, n + 1) : missing(name, n + 1)), at)]
    }
    if (!base64.test(signature)) return [refusePedantically('ge-sig-invalid', 'Corrupted thought signature.', at)]
    const isForeign = state?.signed(signature) !== undefined && !madeForGemini.test(signature)
    return isForeign ? [refusePedantically('ge-sig-invalid', 'Invalid thought signature.', at)] : []
  })
}

/** Signatures that this server did not make for this model and account, on calls and words alike, of any turn. */
export const foreignSignatures = ({ messages: contents, state, issuer }: Wire, door: Door): Objection[] =>
  contents.flatMap((turn, n) =>
    partsOf(turn).flatMap((part, k) => {
      const signature = stringOf(part.thoughtSignature ?? part.thought_signature) ?? ''
      if (signature === '' || standIns.has(signature) || !state || state.verifies(signature, issuer)) return []
      const [fact, text] = door === 'vertex' ? voidVertex : voidStudio
      return [refuse(fact, text, `contents[${n}].parts[${k}]`)]
    }),
  )

/** The words that ask for no check, also as the bytes that Google's own client makes of them. */
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

/** Something of the user beside results opens a turn. */
const isInput = (turn: JsonObject): boolean => turn.role !== 'model' && partsOf(turn).some(part => !resultIn(part))

/** Both alphabets; the word that asks for no check is in them, too. */
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

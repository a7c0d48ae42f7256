import { type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../models.ts'
import { type Objection, refuse, refusePedantically } from '../objection.ts'
import { callIn, partsOf, resultIn } from '../readers/gemini.ts'
import type { Wire } from '../validator.ts'
import type { Door } from './gemini-parts.ts'

/** The first call of each step since the user last spoke must be signed. */
export function signatures({ messages: contents, model, state }: Wire, door: Door): Objection[] {
  if (!isModel(models.signed, model)) return []
  const from = contents.findLastIndex(isInput)
  return contents.flatMap((turn, n) => {
    const parts = n > from && turn.role === 'model' ? partsOf(turn) : []
    const k = parts.findIndex(part => callIn(part))
    if (k < 0) return []
    const at = `contents[${n}].parts[${k}]`
    const signature = stringOf(parts[k].thoughtSignature ?? parts[k].thought_signature) ?? ''
    if (signature === '') {
      const name = stringOf(callIn(parts[k])?.name) ?? ''
      return [refuse(...(door === 'vertex' ? missingVertex(name, n + 1) : missing(name, n + 1)), at)]
    }
    if (!base64.test(signature)) return [refusePedantically('ge-sig-invalid', 'Corrupted thought signature.', at)]
    const isForeign = state?.signed(signature) !== undefined && !madeForGemini.test(signature)
    return isForeign ? [refusePedantically('ge-sig-invalid', 'Invalid thought signature.', at)] : []
  })
}

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

import { isObject, type JsonObject } from '../../json.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { functionCallIn, functionResponseIn, geminiParts } from './history.ts'
import { silentEnds } from './judge-fragments.ts'

/** The two APIs for the same models. */
export type GeminiApi = 'studio' | 'vertex'

/** Errors that only Gemini's own format can have in a turn: whether it can be parsed, its role, and its parts. */
export const partForms = (raw: RawRequest, api: GeminiApi): RejectionReason[] => {
  const { messages: contents } = raw
  const ends = silentEnds(raw)
  const isEmpty: IsEmpty = part => !says(part) && !ends.has(part)
  return [
    ...eachPart(contents, struct),
    ...contents.flatMap((turn, n) => role(turn, api, `contents[${n}]`)),
    ...(api === 'vertex' ? vertexFields(contents, isEmpty) : studioFields(contents, isEmpty)),
    ...contents.flatMap((turn, n) => (turn.role === 'model' ? ownResults(turn, n) : [])),
  ]
}

type IsEmpty = (part: JsonObject) => boolean

function role({ role }: JsonObject, api: GeminiApi, at: string): RejectionReason[] {
  const isUnsaid = role === undefined || role === null || role === ''
  if (role === 'user' || role === 'model') return []
  if (api === 'studio' && (isUnsaid || role === 'function')) return []
  return [
    // This message is known from third-party code only.
    ...(role === 'system' ? [rejectPedantically('ge-system-role', systemText, at)] : []),
    reject('ge-role', 'Please use a valid role: user, model.', at),
  ]
}

const systemText = 'Content with system role is not supported.'

/** Gemini's own API reports all such errors at once, one per line. */
function studioFields(contents: JsonObject[], isEmpty: IsEmpty): RejectionReason[] {
  const found = [
    ...contents.flatMap(({ parts }, n) =>
      isNothing(parts) ? [field('ge-empty-parts', `contents[${n}]`, 'parts', 'contents.parts must not be empty.')] : [],
    ),
    ...eachPart(contents, (part, at) => [
      ...unnamed(part, at),
      ...(isEmpty(part) && part.text !== '' ? [field('ge-empty-part', at, 'data', oneofText)] : []),
    ]),
  ]
  const message = found.map(reason => reason.message).join('')
  return [
    ...found.map(reason => ({ ...reason, message })),
    // An empty text is rejected according to clients, but not according to Google.
    ...eachPart(contents, (part, at) => {
      const { message } = field('ge-empty-part', at, 'data', oneofText)
      return part.text === '' && isEmpty(part) ? [rejectPedantically('ge-empty-part', message, at)] : []
    }),
  ]
}

const vertexFields = (contents: JsonObject[], isEmpty: IsEmpty): RejectionReason[] => [
  ...contents.flatMap(({ parts }, n) =>
    isNothing(parts) ? [reject('ge-empty-parts-vertex', emptyPartsVertexText, `contents[${n}]`)] : [],
  ),
  ...eachPart(contents, (part, at) => [
    ...unnamed(part, at),
    ...(isEmpty(part) ? [reject('ge-empty-part', emptyTextVertexText, at)] : []),
  ]),
]

const field = (fact: string, at: string, name: string, words: string): RejectionReason =>
  reject(fact, `* GenerateContentRequest.${at}.${name}: ${words}\n`, at)

/** Whether a part has content. A signature may be on an empty text. */
const says = (part: JsonObject): boolean =>
  Object.entries(part).some(([key, value]) => !silent.has(key) && !isNothing(value))

/** Keys that are not content by themselves. */
const silent = new Set(['thought', 'partMetadata', 'part_metadata'])

function unnamed(part: JsonObject, at: string): RejectionReason[] {
  const [call, result] = [functionCallIn(part), functionResponseIn(part)]
  const { name } = call ?? result ?? { name: 'no name is due' }
  if (typeof name === 'string' && name !== '') return []
  return [
    call
      ? field('ge-fc-name', at, 'function_call.name', 'Name cannot be empty.')
      : field('ge-fr-name', at, 'function_response.name', 'Name cannot be empty.'),
  ]
}

/** Arguments and results must be objects for the parser. */
function struct(part: JsonObject, at: string): RejectionReason[] {
  const [call, result] = [functionCallIn(part), functionResponseIn(part)]
  const [value, key, owner] = call
    ? [call.args, 'args', 'function_call']
    : [result?.response, 'response', 'function_response']
  if (value === undefined || value === null || isObject(value)) return []
  const message = Array.isArray(value)
    ? `Invalid JSON payload received. Unknown name "${key}" at '${at}.${owner}': Proto field is not repeating, cannot start list.`
    : `Invalid value at '${at}.${owner}.${key}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value)}`
  return [reject('ge-struct', message, at)]
}

/** Results belong to the user. */
const ownResults = (turn: JsonObject, n: number): RejectionReason[] =>
  geminiParts(turn).flatMap((part, k) =>
    functionResponseIn(part) ? [reject('ge-response-position', responseText, `contents[${n}].parts[${k}]`)] : [],
  )

const eachPart = (
  contents: JsonObject[],
  judge: (part: JsonObject, at: string) => RejectionReason[],
): RejectionReason[] =>
  contents.flatMap((turn, n) =>
    isNothing(turn.parts) ? [] : geminiParts(turn).flatMap((part, k) => judge(part, `contents[${n}].parts[${k}]`)),
  )

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const responseText = 'Please ensure that function response turn comes immediately after a function call turn.'
const oneofText = "required oneof field 'data' must have one initialized field"
const emptyPartsVertexText =
  'Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'
const emptyTextVertexText =
  'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'

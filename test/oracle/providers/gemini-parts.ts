import { isObject, type JsonObject } from '../json.ts'
import { callIn, partsOf, resultIn } from '../readers/gemini.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** The two ways to the same models. */
export type Door = 'studio' | 'vertex'

/** What only Gemini's own wire can get wrong in a turn: its role, and its parts. */
export const partForms = (contents: JsonObject[], door: Door): Refusal[] =>
  contents.flatMap((turn, n) => {
    const at = `contents[${n}]`
    if (isNothing(turn.parts)) return [...role(turn, door, at), emptyParts(door, n)]
    return [...role(turn, door, at), ...partsOf(turn).flatMap((part, k) => form(part, turn, door, `${at}.parts[${k}]`))]
  })

function role({ role }: JsonObject, door: Door, at: string): Refusal[] {
  if (role === 'system') return [refuse('ge-system-role', 'Content with system role is not supported.', at)]
  const isUnsaid = role === undefined || role === null || role === ''
  if (role === 'user' || role === 'model') return []
  if (door === 'studio' && (isUnsaid || role === 'function')) return []
  return [refuse('ge-role', 'Please use a valid role: user, model.', at)]
}

function emptyParts(door: Door, n: number): Refusal {
  const at = `contents[${n}]`
  return door === 'vertex'
    ? refuse('ge-empty-parts-vertex', emptyPartsVertexText, at)
    : refuse('ge-empty-parts', `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.\n`, at)
}

function form(part: JsonObject, turn: JsonObject, door: Door, at: string): Refusal[] {
  const call = callIn(part)
  if (call) return [...named(call, 'function_call', 'ge-fc-name', at), ...struct(call, 'args', 'function_call', at)]
  const result = resultIn(part)
  if (result) {
    const side = turn.role === 'model' ? [refuse('ge-response-position', responseText, at)] : []
    const name = named(result, 'function_response', 'ge-fr-name', at)
    return [...side, ...name, ...struct(result, 'response', 'function_response', at)]
  }
  if (Object.entries(part).some(([key, value]) => !silent.has(key) && !isNothing(value))) return []
  const message = door === 'vertex' ? emptyTextVertexText : `* GenerateContentRequest.${at}.data: ${oneofText}\n`
  return [refuse('ge-empty-part', message, at)]
}

/** Keys that say nothing by themselves. A signature may stand on an empty text. */
const silent = new Set(['thought', 'partMetadata', 'part_metadata'])

function named({ name }: JsonObject, field: string, fact: string, at: string): Refusal[] {
  if (typeof name === 'string' && name !== '') return []
  return [refuse(fact, `* GenerateContentRequest.${at}.${field}.name: Name cannot be empty.\n`, at)]
}

function struct(body: JsonObject, key: string, field: string, at: string): Refusal[] {
  const value = body[key]
  if (value === undefined || value === null || isObject(value)) return []
  const message = Array.isArray(value)
    ? `Invalid JSON payload received. Unknown name "${key}" at '${at}.${field}': Proto field is not repeating, cannot start list.`
    : `Invalid value at '${at}.${field}.${key}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value)}`
  return [refuse('ge-struct', message, at)]
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const responseText = 'Please ensure that function response turn comes immediately after a function call turn.'
const oneofText = "required oneof field 'data' must have one initialized field"
const emptyPartsVertexText =
  'Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'
const emptyTextVertexText =
  'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'

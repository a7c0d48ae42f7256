import { isObject, type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { order } from '../gemini/judge.ts'
import { turnsOf } from '../gemini/judge-turns.ts'

/** The Interactions API: the form of its steps, then the turns that they become for the model. */
export const validateInteractions: Validator = (chat, raw) => {
  if (raw.format !== 'gemini-interactions') return []
  const talk = chat.filter(({ role }) => role !== '')
  return [
    ...raw.messages.flatMap((step, index) => [
      ...turnList(step, index),
      ...fields(step, index),
      ...result(step, index),
    ]),
    ...order(turnsOf(talk, raw), isContinued(raw)),
    ...thoughts(raw),
  ]
}

/** Cached content, or an answer that is not finished, precedes the first step. */
const isContinued = ({ body }: RawRequest): boolean => Boolean(body?.cached_content ?? body?.continuation_token)

function turnList({ role }: JsonObject, index: number): RejectionReason[] {
  return role === undefined ? [] : [reject('gi-turns', turnText, `input[${index}]`)]
}

/** A call has its id in one field, and a result in another. */
function fields(step: JsonObject, index: number): RejectionReason[] {
  const at = `input[${index}]`
  const field = unknownFields.get(step.type)
  if (field === undefined || step[field] === undefined) return []
  return [reject('gi-unknown-field', `Unknown parameter '${field}' at '${at}'.`, at)]
}

const unknownFields = new Map<unknown, string>([
  ['function_call', 'call_id'],
  ['function_result', 'id'],
])

function result(step: JsonObject, index: number): RejectionReason[] {
  if (step.type !== 'function_result') return []
  const at = `input[${index}]`
  return [
    ...(isFilled(step.call_id) ? [] : [reject('gi-call-id', missingText('call_id'), at)]),
    ...(isFilled(step.name) ? [] : [reject('gi-name', missingText('name'), at)]),
    ...(isResult(step.result) ? [] : [reject('gi-result', resultText, at)]),
  ]
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

const isResult = (value: unknown): boolean =>
  typeof value === 'string' || isObject(value) || (Array.isArray(value) && value.every(isContent))

const isContent = (value: unknown): boolean => isObject(value) && typeof value.type === 'string'

/** Some models require a signed thought before the calls of each step since the last user input. */
function thoughts({ messages: steps, model }: RawRequest): RejectionReason[] {
  if (!isModel(models.signed, model)) return []
  const found: RejectionReason[] = []
  let isSigned = false
  let isCalled = false
  for (let index = steps.findLastIndex(({ type }) => type === 'user_input') + 1; index < steps.length; index++) {
    const { type, signature } = steps[index] ?? {}
    const hasSignature = (stringOf(signature) ?? '') !== ''
    if (type === 'function_result') [isSigned, isCalled] = [false, false]
    if (type === 'thought') isSigned ||= hasSignature
    if (type !== 'function_call') continue
    if (!isSigned && !hasSignature && !isCalled) found.push(reject('gi-signature', invalidText, `input[${index}]`))
    isCalled = true
  }
  return found
}

const turnText = 'When using the steps-based API version, use step_list input format instead of turn_list.'
const invalidText = 'Request contains an invalid argument.'
const resultText = "'result' must be a Struct, FunctionResultSubcontent[], or string"
const missingText = (field: string): string => `Missing ${field} in content of type function_result`

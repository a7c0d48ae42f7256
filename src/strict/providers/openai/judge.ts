import { isObject } from '../../json.ts'
import { codePoints } from '../../judge/code-points.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { duplicates, idsOf, type ResultRun, runs, unanswered } from '../../judge/runs.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { requestForms, requestLimits } from './judge-limits.ts'

/** OpenAI Chat Completions: first the form of each message, then the content, message by message. */
export const validateOpenai: Validator = (chat, raw) => [
  ...(isHome(raw) ? requestForms(raw) : []),
  ...empty(chat, raw),
  ...chat.flatMap(entry => [...emptyCalls(entry, raw), ...callForms(entry)]),
  ...inOrder([
    ...pairing(chat),
    ...(isHome(raw) ? chat.flatMap(entry => [...nullContent(entry), ...valueContent(entry)]) : []),
  ]),
  // A bare history may also be meant for an old Azure API version.
  ...(raw.body === undefined && isHome(raw) ? keyless(chat, rejectPedantically) : []),
  ...(isHome(raw) ? requestLimits(raw) : []),
]

/** Azure: the same, and what its old versions require in addition. */
export const validateAzure: Validator = (chat, raw) => [
  ...(isOld(raw) && isHome(raw) ? keyless(chat, reject) : []),
  ...validateOpenai(chat, raw),
]

const idLengthMax = 40

/** Azure accepts calls without content since the API version that introduced tools. */
const isOld = ({ query }: RawRequest): boolean => (query?.['api-version'] ?? '9') < '2023-12-01'

const isHome = ({ format }: RawRequest): boolean => format === 'openai-chat'

function empty(chat: HistoryEntry[], raw: RawRequest): RejectionReason[] {
  const { body, messages } = raw
  // A request without the field is a different error, whose message is not known.
  const isFound = isHome(raw) ? messages.length > 0 || (body && !Array.isArray(body.messages)) : chat.length > 0
  return isFound ? [] : [reject('oc-empty-messages', emptyArray('messages'), 'messages', emptyDetails('messages'))]
}

/** An error, and the message at which it is noticed. */
type Found = { index: number; reason: RejectionReason }

const inOrder = (found: Found[]): RejectionReason[] =>
  found.toSorted((one, other) => one.index - other.index).map(({ reason }) => reason)

function pairing(chat: HistoryEntry[]): Found[] {
  const lastResults = new Map(chat.map(({ answers, index }) => [answers, index]))
  return runs(chat).flatMap(run => [...misfits(run), ...repeated(run), ...missing(run, lastResults)])
}

/** Noticed at the first message that is not a result. `lastResults` has the position of the last result of each id. */
function missing(run: ResultRun, lastResults: Map<string | undefined, number>): Found[] {
  const { opener, results, last } = run
  const calls = unanswered(run)
  if (!opener || calls.length === 0) return []
  const isLate = calls.some(({ id }) => id !== undefined && (lastResults.get(id) ?? -1) >= opener.index)
  const fact = last ? 'oc-trailing-call' : isLate ? 'oc-user-between' : 'oc-missing-result'
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${idsOf(calls)}`
  const index = (results.at(-1) ?? opener).index + 1
  const param = last ? 'messages' : `messages.[${index}].role`
  return [{ index, reason: reject(fact, message, opener.at, { param }) }]
}

function misfits({ opener, results }: ResultRun): Found[] {
  const ids = new Set(opener?.calls.map(({ id }) => id))
  return results.flatMap(({ answers, raw, index, at }) => {
    const param = `messages.[${index}].${opener ? 'tool_call_id' : 'role'}`
    if (!opener) return [{ index, reason: reject('oc-orphan', orphanText, at, { param }) }]
    const isMissing = raw.tool_call_id === undefined || raw.tool_call_id === null
    if (answers === undefined && isMissing)
      return [{ index, reason: reject('oc-missing-tcid', missingIdText, at, { param }) }]
    if (answers === undefined || ids.has(answers)) return []
    const message = `Invalid parameter: 'tool_call_id' of '${answers}' not found in 'tool_calls' of previous message.`
    return [{ index, reason: rejectPedantically('oc-unknown-id', message, at, { param }) }]
  })
}

const orphanText =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const missingIdText = "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."

const repeated = (run: ResultRun): Found[] =>
  duplicates(run).map(({ first, again: { answers, index, at } }) => {
    const where = `messages[${first.index}] and messages[${index}]`
    const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${answers}', in ${where}.`
    return { index, reason: reject('oc-dup-result', message, at, { param: `messages.[${index}].tool_call_id` }) }
  })

const callForms = ({ calls }: HistoryEntry): RejectionReason[] =>
  calls.flatMap(({ id, name, at }) => {
    const found: RejectionReason[] = []
    const length = codePoints(id ?? '')
    if (length > idLengthMax) {
      const message = `Invalid '${at}.id': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${length} instead.`
      found.push(reject('oc-id-too-long', message, at, { param: `${at}.id`, code: 'string_above_max_length' }))
    }
    if (name === '') {
      const message = `Invalid '${at}.function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.`
      found.push(reject('oc-empty-name', message, at, { param: `${at}.function.name`, code: 'empty_string' }))
    }
    return found
  })

/** Errors that only OpenAI's own format can have. */
function emptyCalls({ raw, at }: HistoryEntry, { format }: RawRequest): RejectionReason[] {
  if (format !== 'openai-chat' || !Array.isArray(raw.tool_calls) || raw.tool_calls.length > 0) return []
  const path = `${at}.tool_calls`
  return [reject('oc-empty-toolcalls', emptyArray(path), at, emptyDetails(path))]
}

function nullContent({ role, calls, raw, index, at }: HistoryEntry): Found[] {
  const speaksOtherwise =
    role === 'assistant' &&
    (calls.length > 0 || typeof raw.refusal === 'string' || isObject(raw.audio) || isObject(raw.function_call))
  // A legacy function may return nothing.
  if ((raw.content !== null && raw.content !== undefined) || speaksOtherwise || role === 'function') return []
  const message = "Invalid value for 'content': expected a string, got null."
  return [{ index, reason: reject('oc-null-content', message, at, { param: `messages.[${index}].content` }) }]
}

/** Results must be text or blocks. What other messages contain is not judged here. */
function valueContent({ role, raw: { content }, index, at }: HistoryEntry): Found[] {
  if (role !== 'tool' || content === null || content === undefined || typeof content === 'string') return []
  const path = `messages[${index}].content`
  const found = (text: string, param: string, code: string): Found[] => [
    { index, reason: reject('oc-content-type', text, at, { param, code }) },
  ]
  if (!Array.isArray(content)) {
    const got = isObject(content) ? 'an object' : typeof content === 'number' ? 'a number' : 'a boolean'
    const text = `Invalid type for '${path}': expected one of a string or array of objects, but got ${got} instead.`
    return found(text, path, 'invalid_type')
  }
  const untyped = content.findIndex(block => isObject(block) && block.type === undefined)
  if (untyped < 0) return []
  const param = `${path}[${untyped}].type`
  return found(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter')
}

const keyless = (chat: HistoryEntry[], objectTo: typeof reject): RejectionReason[] =>
  chat
    .filter(({ calls, raw }) => raw.content === undefined && (calls.length > 0 || isObject(raw.function_call)))
    .map(({ index, at }) => {
      const message = `'content' is a required property - 'messages.${index}'`
      return objectTo('oc-azure-required-content', message, at)
    })

const emptyArray = (path: string): string =>
  `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`

const emptyDetails = (param: string) => ({ param, code: 'empty_array' })

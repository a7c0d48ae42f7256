import { isObject } from '../../json.ts'
import { codePoints } from '../../judge/code-points.ts'
import type { Entry } from '../../judge/entry.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { duplicates, idsOf, type Run, runs, unanswered } from '../../judge/runs.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { requestForms, requestLimits } from './judge-limits.ts'

/** OpenAI Chat Completions: first the form of each message, then what they say, message by message. */
export const openai: Validator = (chat, wire) => [
  ...(isHome(wire) ? requestForms(wire) : []),
  ...empty(chat, wire),
  ...chat.flatMap(entry => [...emptyCalls(entry, wire), ...callForms(entry)]),
  ...inOrder([...pairing(chat), ...(isHome(wire) ? chat.flatMap(nullContent) : [])]),
  // A bare history may be meant for an old Azure as well.
  ...(wire.body === undefined && isHome(wire) ? keyless(chat, refusePedantically) : []),
  ...(isHome(wire) ? requestLimits(wire) : []),
]

/** Azure: the same, and what its old versions want besides. */
export const azure: Validator = (chat, wire) => [
  ...(isOld(wire) && isHome(wire) ? keyless(chat, refuse) : []),
  ...openai(chat, wire),
]

const idLengthMax = 40

/** Azure took calls without content from the version on that knows tools. */
const isOld = ({ query }: Wire): boolean => (query?.['api-version'] ?? '9') < '2023-12-01'

const isHome = ({ format }: Wire): boolean => format === 'openai-chat'

function empty(chat: Entry[], wire: Wire): Objection[] {
  const { body, messages } = wire
  // A request without the field is another fault, whose words are not known.
  const isFound = isHome(wire) ? messages.length > 0 || (body && !Array.isArray(body.messages)) : chat.length > 0
  return isFound ? [] : [refuse('oc-empty-messages', emptyArray('messages'), 'messages', emptyDetails('messages'))]
}

/** A fault, and the message at which it is noticed. */
type Found = { index: number; objection: Objection }

const inOrder = (found: Found[]): Objection[] =>
  found.toSorted((one, other) => one.index - other.index).map(({ objection }) => objection)

function pairing(chat: Entry[]): Found[] {
  const lastResults = new Map(chat.map(({ answers, index }) => [answers, index]))
  return runs(chat).flatMap(run => [...misfits(run), ...repeated(run), ...missing(run, lastResults)])
}

/** Noticed at the first message that is no result. `lastResults` says where the last result of each id stands. */
function missing(run: Run, lastResults: Map<string | undefined, number>): Found[] {
  const { opener, results, last } = run
  const calls = unanswered(run)
  if (!opener || calls.length === 0) return []
  const isLate = calls.some(({ id }) => id !== undefined && (lastResults.get(id) ?? -1) >= opener.index)
  const fact = last ? 'oc-trailing-call' : isLate ? 'oc-user-between' : 'oc-missing-result'
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${idsOf(calls)}`
  const index = (results.at(-1) ?? opener).index + 1
  const param = last ? 'messages' : `messages.[${index}].role`
  return [{ index, objection: refuse(fact, message, opener.at, { param }) }]
}

function misfits({ opener, results }: Run): Found[] {
  const ids = new Set(opener?.calls.map(({ id }) => id))
  return results.flatMap(({ answers, wire, index, at }) => {
    const param = `messages.[${index}].${opener ? 'tool_call_id' : 'role'}`
    if (!opener) return [{ index, objection: refuse('oc-orphan', orphanText, at, { param }) }]
    const isMissing = wire.tool_call_id === undefined || wire.tool_call_id === null
    if (answers === undefined && isMissing)
      return [{ index, objection: refuse('oc-missing-tcid', missingIdText, at, { param }) }]
    if (answers === undefined || ids.has(answers)) return []
    const message = `Invalid parameter: 'tool_call_id' of '${answers}' not found in 'tool_calls' of previous message.`
    return [{ index, objection: refusePedantically('oc-unknown-id', message, at, { param }) }]
  })
}

const orphanText =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const missingIdText = "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."

const repeated = (run: Run): Found[] =>
  duplicates(run).map(({ first, again: { answers, index, at } }) => {
    const where = `messages[${first.index}] and messages[${index}]`
    const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${answers}', in ${where}.`
    return { index, objection: refuse('oc-dup-result', message, at, { param: `messages.[${index}].tool_call_id` }) }
  })

const callForms = ({ calls }: Entry): Objection[] =>
  calls.flatMap(({ id, name, at }) => {
    const found: Objection[] = []
    const length = codePoints(id ?? '')
    if (length > idLengthMax) {
      const message = `Invalid '${at}.id': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${length} instead.`
      found.push(refuse('oc-id-too-long', message, at, { param: `${at}.id`, code: 'string_above_max_length' }))
    }
    if (name === '') {
      const message = `Invalid '${at}.function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.`
      found.push(refuse('oc-empty-name', message, at, { param: `${at}.function.name`, code: 'empty_string' }))
    }
    return found
  })

/** What only OpenAI's own wire can get wrong. */
function emptyCalls({ wire, at }: Entry, { format }: Wire): Objection[] {
  if (format !== 'openai-chat' || !Array.isArray(wire.tool_calls) || wire.tool_calls.length > 0) return []
  const path = `${at}.tool_calls`
  return [refuse('oc-empty-toolcalls', emptyArray(path), at, emptyDetails(path))]
}

function nullContent({ role, calls, wire, index, at }: Entry): Found[] {
  const speaksOtherwise =
    role === 'assistant' &&
    (calls.length > 0 || typeof wire.refusal === 'string' || isObject(wire.audio) || isObject(wire.function_call))
  // A function of the old kind may give nothing.
  if ((wire.content !== null && wire.content !== undefined) || speaksOtherwise || role === 'function') return []
  const message = "Invalid value for 'content': expected a string, got null."
  return [{ index, objection: refuse('oc-null-content', message, at, { param: `messages.[${index}].content` }) }]
}

const keyless = (chat: Entry[], objectTo: typeof refuse): Objection[] =>
  chat
    .filter(({ calls, wire }) => wire.content === undefined && (calls.length > 0 || isObject(wire.function_call)))
    .map(({ index, at }) => {
      const message = `'content' is a required property - 'messages.${index}'`
      return objectTo('oc-azure-required-content', message, at)
    })

const emptyArray = (path: string): string =>
  `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`

const emptyDetails = (param: string) => ({ param, code: 'empty_array' })

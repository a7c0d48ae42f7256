import type { Entry } from '../entry.ts'
import { isObject } from '../json.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import { duplicates, idsOf, type Run, runs, unanswered } from '../runs.ts'
import type { Validator } from '../validator.ts'

/** OpenAI Chat Completions, and Azure. */
export const openai: Validator = (chat, { format }) => {
  const lastResults = new Map(chat.map(({ answers, index }) => [answers, index]))
  return [
    ...empty(chat),
    ...runs(chat).flatMap(run => [...missing(run, lastResults), ...misfits(run), ...repeated(run)]),
    ...chat.flatMap(callForms),
    ...(format === 'openai-chat' ? chat.flatMap(shape) : []),
  ]
}

const idLengthMax = 40

const empty = (chat: Entry[]): Refusal[] =>
  chat.length > 0 ? [] : [refuse('oc-empty-messages', emptyArray('messages'), 'messages')]

/** `lastResults` says where the last result of each id stands. */
function missing(run: Run, lastResults: Map<string | undefined, number>): Refusal[] {
  const { opener, last } = run
  const calls = unanswered(run)
  if (!opener || calls.length === 0) return []
  const isLate = calls.some(({ id }) => id !== undefined && (lastResults.get(id) ?? -1) >= opener.index)
  const fact = last ? 'oc-trailing-call' : isLate ? 'oc-user-between' : 'oc-missing-result'
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${idsOf(calls)}`
  return [refuse(fact, message, opener.at)]
}

function misfits({ opener, results }: Run): Refusal[] {
  const ids = new Set(opener?.calls.map(({ id }) => id))
  return results.flatMap(({ answers, at }) => {
    if (!opener) return [refuse('oc-orphan', orphanText, at)]
    if (answers === undefined) return [refuse('oc-missing-tcid', missingIdText, at)]
    if (ids.has(answers)) return []
    const message = `Invalid parameter: 'tool_call_id' of '${answers}' not found in 'tool_calls' of previous message.`
    return [refusePedantically('oc-unknown-id', message, at)]
  })
}

const orphanText =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
const missingIdText = "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'."

const repeated = (run: Run): Refusal[] =>
  duplicates(run).map(({ first, again }) => {
    const where = `messages[${first.index}] and messages[${again.index}]`
    const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${again.answers}', in ${where}.`
    return refuse('oc-dup-result', message, again.at)
  })

const callForms = ({ calls }: Entry): Refusal[] =>
  calls.flatMap(({ id, name, at }) => {
    const found: Refusal[] = []
    if (id !== undefined && id.length > idLengthMax) {
      const message = `Invalid '${at}.id': string too long. Expected a string with maximum length ${idLengthMax}, but got a string with length ${id.length} instead.`
      found.push(refuse('oc-id-too-long', message, at))
    }
    if (name === '') {
      const message = `Invalid '${at}.function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.`
      found.push(refuse('oc-empty-name', message, at))
    }
    return found
  })

/** What only OpenAI's own wire can get wrong. */
function shape({ role, calls, wire, index, at }: Entry): Refusal[] {
  const found: Refusal[] = []
  if (Array.isArray(wire.tool_calls) && wire.tool_calls.length === 0)
    found.push(refuse('oc-empty-toolcalls', emptyArray(`${at}.tool_calls`), at))

  const speaksOtherwise =
    role === 'assistant' &&
    (calls.length > 0 || typeof wire.refusal === 'string' || isObject(wire.audio) || isObject(wire.function_call))
  if ((wire.content === null || wire.content === undefined) && !speaksOtherwise)
    found.push(refuse('oc-null-content', "Invalid value for 'content': expected a string, got null.", at))
  // Seen on old Azure versions only; OpenAI itself takes a calling message without the key.
  else if (wire.content === undefined && calls.length > 0) {
    const message = `'content' is a required property - 'messages.${index}'`
    found.push(refusePedantically('oc-azure-required-content', message, at))
  }
  return found
}

const emptyArray = (path: string): string =>
  `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`

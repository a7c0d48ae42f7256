import { codecs } from '../../codecs/index.ts'
import type { Body } from '../../codecs/shared/envelope.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { mayHoldLongNumbers, parseExactly } from '../../core/json/exact-json.ts'
import { tryParseWithDigits } from '../../core/json/json-text.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { Report } from '../../core/report.ts'
import { isReadAs } from '../../heal/detect.ts'
import type { HealOptions } from '../../heal/options.ts'
import { hasSameRepairs, withSafeNumbers } from '../../heal/readable-numbers.ts'
import { healRejectedAfterHealing, retryOptions } from '../../heal/rejections/heal-rejected.ts'
import { joinRenames } from '../../heal/rejections/join-renames.ts'
import { healLearnt, type Lessons, type LessonsByModel, lessonsFor } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { healRequest, type RequestOptions, type RequestResult } from '../../heal/request/heal-request.ts'
import { readBody } from '../../heal/request/request-body.ts'
import { choicesFor, modelOf, unwrapped, wrapperIn } from './check/endpoint-request.ts'
import type { Endpoint } from './endpoint.ts'
import { canRestoreNames } from './restore-names.ts'

/** The text of a request after healing: the same text if nothing changed. */
export interface HealedText extends Report {
  readonly text: string
  readonly dialect: DialectId
  readonly model: string | undefined
  /**
   * Tools that were renamed in the request: the caller's name by the new name. The answer must get the caller's names back.
   */
  readonly renamedTools?: ReadonlyMap<string, string> | undefined
}

/** Earlier rejections: of this request, and lessons from requests to the same endpoint and model. */
export interface PriorRejections {
  readonly rejection?: Rejection | undefined
  readonly lessons?: LessonsByModel | undefined
  /** The answer does not pass through here, so that no tool may be renamed. */
  readonly namesStay?: true
}

/** Joins the reports of two repairs of a request. */
const joined = <Result extends RequestResult<unknown>>(first: RequestResult<unknown>, second: Result): Result => ({
  ...second,
  changed: true,
  repairs: [...first.repairs, ...second.repairs],
  renamedTools: joinRenames(first.renamedTools, second.renamedTools),
})

/**
 * Repairs the text of a request to an endpoint, using a rejection if there was one. Undefined if it contains no history in
 * the format of the endpoint.
 */
export function healRequestText(
  text: string,
  endpoint: Endpoint,
  options: RequestOptions,
  after: PriorRejections = {},
  value: unknown = tryParseJson(text),
): HealedText | undefined {
  const repair = after.rejection ? healRejectedValue : heal
  const healed = repair(text, value, endpoint, options, after)
  if (!healed?.changed || !mayHoldLongNumbers(text)) return healed
  const parsed = parseExactly(text)
  const exact = repair(text, parsed, endpoint, options, after)
  const safe = isTooDeep(parsed) ? healed : repair(text, withSafeNumbers(parsed), endpoint, options, after)
  if (exact && safe && isFaithful(exact, safe, text)) return exact
  return repair(text, tryParseWithDigits(text), endpoint, options, after)
}

function healRejectedValue(
  text: string,
  value: unknown,
  endpoint: Endpoint,
  options: RequestOptions,
  { rejection, lessons, namesStay }: PriorRejections,
): HealedText | undefined {
  const request = read(value, endpoint, options)
  if (!request || !rejection) return undefined
  const { fields, wrapper, model } = request
  const renameTools = !namesStay && canRestoreNames(endpoint)
  const choices = { ...choicesFor(endpoint, options, model), renameTools }
  if (rejection.kind === 'tool-name' && !canRestoreNames(endpoint))
    return { text, changed: false, repairs: [], remaining: [], dialect: choices.for, model }
  const taught = applicable(lessonsFor(lessons, model, fields), renameTools)
  const learnt = taught ? healLearnt(fields, taught, choices) : undefined
  const result = healRejectedAfterHealing(learnt?.body ?? fields, rejection, choices)
  const { body, changed, repairs, remaining, renamedTools } = learnt?.changed ? joined(learnt, result) : result
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  const { for: dialect = choices.for } = rejection.history ? retryOptions(choices, rejection, endpoint.format) : choices
  return { text: changed ? JSON.stringify(whole) : text, changed, repairs, remaining, dialect, model, renamedTools }
}

/** Lessons without those that rename tools, if the answer could not get the caller's names back. */
function applicable(lessons: Lessons | undefined, renameTools: boolean): Lessons | undefined {
  if (!lessons || renameTools) return lessons
  return { ...lessons, rejections: lessons.rejections.filter(({ kind }) => kind !== 'tool-name') }
}

function heal(
  text: string,
  value: unknown,
  endpoint: Endpoint,
  options: RequestOptions,
  { lessons, namesStay }: PriorRejections,
): HealedText | undefined {
  const request = read(value, endpoint, options)
  if (!request) return undefined
  const { fields, wrapper, history, model } = request
  const choices = choicesFor(endpoint, options, model)
  const renameTools = !namesStay && canRestoreNames(endpoint)
  const taught = applicable(lessonsFor(lessons, model, fields), renameTools)
  const learnt = taught ? healLearnt(fields, taught, choices) : undefined
  const result = healRequest(learnt?.body ?? fields, { ...choices, renameTools })
  const { body, changed, repairs, remaining, renamedTools } = learnt?.changed ? joined(learnt, result) : result
  // Detecting the format costs more than checking that nothing is broken.
  if (changed && !learnt?.changed && !isReadAs(history, endpoint.format)) return undefined
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  const after = changed ? JSON.stringify(whole) : text
  return { text: after, changed, repairs, remaining, dialect: choices.for, model, renamedTools }
}

interface ParsedRequest {
  /** The field that contains the request, if it is inside another object. */
  readonly wrapper: string | undefined
  readonly fields: unknown
  readonly history: readonly unknown[]
  readonly model: string | undefined
}

/** The parts of a request. Undefined if it contains no history in the format of the endpoint. */
function read(value: unknown, endpoint: Endpoint, options: HealOptions): ParsedRequest | undefined {
  const wrapper = wrapperIn(value, endpoint)
  const fields = unwrapped(value, wrapper)
  const request = readBody(fields)
  if (request?.key !== codecs[endpoint.format].format.root || !Array.isArray(request.history)) return undefined
  return { wrapper, fields, history: request.history, model: modelOf(value, fields, endpoint, options) }
}

/**
 * Whether long numbers are still numbers after a repair. Each is parsed into an object that only `JSON.stringify` turns back into the number
 * (`JSON.rawJSON`). If an edit copied it like any other object, or a rule mistook it for an object of the request, long numbers are
 * written as strings of their digits instead.
 */
function isFaithful(exact: HealedText, safe: HealedText, before: string): boolean {
  if (exact.text.includes('"rawJSON"') && !before.includes('"rawJSON"')) return false
  return hasSameRepairs(exact, safe)
}

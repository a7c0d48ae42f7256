import { codecs } from '../../codecs/index.ts'
import { type Body, unknownSettings } from '../../codecs/shared/envelope.ts'
import { isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { mayHoldLongNumbers, parseExactly } from '../../core/json/exact-json.ts'
import { tryParseWithDigits } from '../../core/json/json-text.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { Report } from '../../core/report.ts'
import { isReadAs } from '../../heal/detect.ts'
import { isHealthy } from '../../heal/heal.ts'
import { type HealOptions, type HealPlan, planFor } from '../../heal/options.ts'
import { hasSameRepairs, withSafeNumbers } from '../../heal/readable-numbers.ts'
import { healRejectedAfterHealing, retryOptions } from '../../heal/rejections/heal-rejected.ts'
import { joinRenames } from '../../heal/rejections/join-renames.ts'
import { healLearnt, type Lessons, type LessonsByModel, lessonsFor } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { surelyKeepsLimits } from '../../heal/request/heal-limits.ts'
import { healRequest, type RequestOptions, type RequestResult } from '../../heal/request/heal-request.ts'
import { readBody } from '../../heal/request/request-body.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointDialect } from './endpoint-dialect.ts'
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
): HealedText | undefined {
  const repair = after.rejection ? healRejectedValue : heal
  const healed = repair(text, tryParseJson(text), endpoint, options, after)
  if (!healed?.changed || !mayHoldLongNumbers(text)) return healed
  const value = parseExactly(text)
  const exact = repair(text, value, endpoint, options, after)
  const safe = isTooDeep(value) ? healed : repair(text, withSafeNumbers(value), endpoint, options, after)
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

/**
 * Whether `healRequestText` surely leaves a request unchanged: it contains no history, or a healthy one. Of text content it
 * matters only whether it is blank, unless `repeats` is `drop`. Never throws.
 */
export function isSurelyHealthy(value: unknown, endpoint: Endpoint, options: HealOptions): boolean {
  try {
    const wrapper = wrapperIn(value, endpoint)
    const fields = wrapper === undefined ? value : (value as Body)[wrapper]
    const history = isRecord(fields) ? fields[codecs[endpoint.format].format.root] : undefined
    if (!Array.isArray(history)) return true
    const { plan, choices } = endpointPlan(endpoint, options, modelOf(value, fields, endpoint, options))
    // Repairing a doubtful history would need more of its text than whether it is blank.
    if (!isHealthy(history, plan) || !surelyKeepsLimits(fields as Body, plan)) return false
    return hasNoOtherSettings(fields as Body, plan) || !healRequest(fields, choices).changed
  } catch {
    return false
  }
}

/** How histories are repaired for one model at an endpoint. */
interface EndpointPlan {
  readonly options: HealOptions
  readonly choices: Choices
  readonly plan: HealPlan
}

/** An endpoint is used with the same few models, and making a plan costs more than checking a short history. */
function endpointPlan(endpoint: Endpoint, options: HealOptions, model: string | undefined): EndpointPlan {
  const plans = known.get(endpoint) ?? new Map<string | undefined, EndpointPlan>()
  const last = plans.get(model)
  if (last?.options === options) return last
  const choices = choicesFor(endpoint, options, model)
  const fresh = { options, choices, plan: planFor([], choices) }
  if (plans.size >= plansMax) plans.clear()
  if ((model?.length ?? 0) <= modelMax) known.set(endpoint, plans.set(model, fresh))
  return fresh
}

const known = new WeakMap<Endpoint, Map<string | undefined, EndpointPlan>>()
const [plansMax, modelMax] = [100, 200]

/** Whether a request has no settings that could conflict with its history. */
function hasNoOtherSettings(fields: Body, { codec, facts }: HealPlan): boolean {
  const { tools, system } = codec.envelope?.read(fields) ?? unknownSettings
  return tools !== 'none' && system.length === 0 && facts.thinkingSetting === 'free'
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
  const fields = wrapper === undefined ? value : (value as Body)[wrapper]
  const request = readBody(fields)
  if (request?.key !== codecs[endpoint.format].format.root || !Array.isArray(request.history)) return undefined
  return { wrapper, fields, history: request.history, model: modelOf(value, fields, endpoint, options) }
}

type Choices = RequestOptions & { readonly for: DialectId }

/** The options with dialect, format and model of the request. */
function choicesFor(endpoint: Endpoint, options: RequestOptions, model: string | undefined): Choices {
  const dialect = options.for ?? endpointDialect(endpoint, model)
  return { ...options, for: dialect, format: endpoint.format, ...(model === undefined ? {} : { model }) }
}

/** Some of Google's endpoints accept a request inside another object. */
function wrapperIn(value: unknown, { format }: Endpoint): string | undefined {
  if (format !== 'gemini' || !isRecord(value) || value.contents !== undefined) return undefined
  return ['generateContentRequest', 'request'].find(key => isRecord(value[key]))
}

/** The model: from the caller's options, the request, the object around it, or the path. */
const modelOf = (value: unknown, fields: unknown, { model }: Endpoint, options: HealOptions): string | undefined =>
  options.model ?? modelIn(fields) ?? modelIn(value) ?? model

function modelIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { model, modelId } = value
  return typeof model === 'string' ? model : typeof modelId === 'string' ? modelId : undefined
}

/**
 * Whether long numbers are still numbers after a repair. Otherwise an edit exposes their internal form, or one in place of an
 * object was read as an object: they are then written as texts of their digits.
 */
function isFaithful(exact: HealedText, rounded: HealedText, before: string): boolean {
  if (exact.text.includes('"rawJSON"') && !before.includes('"rawJSON"')) return false
  return hasSameRepairs(exact, rounded)
}

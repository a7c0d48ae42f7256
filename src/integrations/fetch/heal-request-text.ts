import { codecs } from '../../codecs/index.ts'
import { type Body, unknownSettings } from '../../codecs/shared/envelope.ts'
import { isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { mayHoldLongNumbers, parseExactly } from '../../core/json/exact-json.ts'
import type { Report } from '../../core/report.ts'
import { detectFormat } from '../../heal/detect.ts'
import { isHealthy } from '../../heal/heal.ts'
import { type HealOptions, type HealPlan, planFor } from '../../heal/options.ts'
import { healRejectedAfterHealing, retryOptions } from '../../heal/rejections/heal-rejected.ts'
import {
  healLearnt,
  joinRenames,
  type Lessons,
  type LessonsByModel,
  lessonsFor,
} from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { surelyKeepsLimits } from '../../heal/request/heal-limits.ts'
import { healRequest, type RequestResult } from '../../heal/request/heal-request.ts'
import { readBody } from '../../heal/request/request-body.ts'
import type { Endpoint } from './endpoint.ts'
import { readerOf } from './reader.ts'
import { canRestoreNames } from './restore-names.ts'

/** The text of a request after healing: the same text if nothing changed. */
export interface HealedText extends Report {
  readonly text: string
  readonly dialect: DialectId
  readonly model: string | undefined
  /** Tools that have another name in the request: by that name, the caller's. The answer must get those back. */
  readonly renamedTools?: ReadonlyMap<string, string> | undefined
}

/** What rejections said: of this very request, and of earlier ones to the same endpoint and model. */
export interface AfterRejection {
  readonly rejection?: Rejection | undefined
  readonly lessons?: LessonsByModel | undefined
}

/** Two repairs of a request, one after the other. */
const joined = <Result extends RequestResult<unknown>>(first: RequestResult<unknown>, second: Result): Result => ({
  ...second,
  changed: true,
  repairs: [...first.repairs, ...second.repairs],
  renamedTools: joinRenames(first.renamedTools, second.renamedTools),
})

/**
 * Repairs the text of a request to an endpoint, as a rejection says if there was one. Undefined if it holds no history in the format
 * that the endpoint takes.
 */
export function healRequestText(
  text: string,
  endpoint: Endpoint,
  options: HealOptions,
  after: AfterRejection = {},
): HealedText | undefined {
  const repair = after.rejection ? healRejectedValue : heal
  const healed = repair(text, parseJson(text), endpoint, options, after)
  if (!healed?.changed || !mayHoldLongNumbers(text)) return healed
  const exact = repair(text, parseExactly(text), endpoint, options, after)
  return exact && isFaithful(exact.text, text) ? exact : healed
}

function healRejectedValue(
  text: string,
  value: unknown,
  endpoint: Endpoint,
  options: HealOptions,
  { rejection, lessons }: AfterRejection,
): HealedText | undefined {
  const asked = read(value, endpoint, options)
  if (!asked || !rejection) return undefined
  const { fields, wrapper, model } = asked
  const choices = choicesFor(endpoint, options, model)
  if (rejection.kind === 'tool-name' && !canRestoreNames(endpoint))
    return { text, changed: false, repairs: [], remaining: [], dialect: choices.for, model }
  const taught = applicable(lessonsFor(lessons, model, fields), endpoint)
  const learnt = taught ? healLearnt(fields, taught, choices) : undefined
  const result = healRejectedAfterHealing(learnt?.body ?? fields, rejection, choices)
  const { body, changed, repairs, remaining, renamedTools } = learnt?.changed ? joined(learnt, result) : result
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  const { for: dialect = choices.for } = rejection.history ? retryOptions(choices, rejection, endpoint.format) : choices
  return { text: changed ? JSON.stringify(whole) : text, changed, repairs, remaining, dialect, model, renamedTools }
}

/** Lessons without those that rename tools, where the answer could not get the caller's names back. */
function applicable(lessons: Lessons | undefined, endpoint: Endpoint): Lessons | undefined {
  if (!lessons || canRestoreNames(endpoint)) return lessons
  return { ...lessons, rejections: lessons.rejections.filter(({ kind }) => kind !== 'tool-name') }
}

/**
 * Whether `healRequestText` surely leaves a request as it is: it holds no history, or one without a doubt. Of what is said it matters only
 * whether there are words, unless `repeats` is `drop`. Never throws.
 */
export function isSound(value: unknown, endpoint: Endpoint, options: HealOptions): boolean {
  try {
    const wrapper = wrapperIn(value, endpoint)
    const fields = wrapper === undefined ? value : (value as Body)[wrapper]
    const history = isRecord(fields) ? fields[codecs[endpoint.format].format.root] : undefined
    if (!Array.isArray(history)) return true
    const { plan, choices } = readingOf(endpoint, options, modelOf(value, fields, endpoint, options))
    // To heal what is doubtful would ask more of the words than whether there are some.
    if (!isHealthy(history, plan) || !surelyKeepsLimits(fields as Body, plan)) return false
    return saysNothingElse(fields as Body, plan) || !healRequest(fields, choices).changed
  } catch {
    return false
  }
}

/** How a history is read. */
interface Reading {
  readonly options: HealOptions
  readonly choices: Choices
  readonly plan: HealPlan
}

/** At one endpoint it is always the same few models that read, and to ask anew how costs more than a short history does. */
function readingOf(endpoint: Endpoint, options: HealOptions, model: string | undefined): Reading {
  const readings = known.get(endpoint) ?? new Map<string | undefined, Reading>()
  const last = readings.get(model)
  if (last?.options === options) return last
  const choices = choicesFor(endpoint, options, model)
  const reading = { options, choices, plan: planFor([], choices) }
  if (readings.size >= readingsMax) readings.clear()
  if ((model?.length ?? 0) <= modelMax) known.set(endpoint, readings.set(model, reading))
  return reading
}

const known = new WeakMap<Endpoint, Map<string | undefined, Reading>>()
const [readingsMax, modelMax] = [100, 200]

/** Whether a request says nothing beside its history that could disagree with it. */
function saysNothingElse(fields: Body, { codec, facts }: HealPlan): boolean {
  const { tools, system } = codec.envelope?.read(fields) ?? unknownSettings
  return tools !== 'none' && system.length === 0 && facts.thinkingSetting === 'free'
}

function heal(
  text: string,
  value: unknown,
  endpoint: Endpoint,
  options: HealOptions,
  { lessons }: AfterRejection,
): HealedText | undefined {
  const asked = read(value, endpoint, options)
  if (!asked) return undefined
  const { fields, wrapper, history, model } = asked
  const choices = choicesFor(endpoint, options, model)
  const taught = applicable(lessonsFor(lessons, model, fields), endpoint)
  const learnt = taught ? healLearnt(fields, taught, choices) : undefined
  const result = healRequest(learnt?.body ?? fields, choices)
  const { body, changed, repairs, remaining, renamedTools } = learnt?.changed ? joined(learnt, result) : result
  // To look at the shape costs more than to see that nothing is broken.
  if (changed && !learnt?.changed && detectFormat(history, endpoint.format) !== endpoint.format) return undefined
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  const after = changed ? JSON.stringify(whole) : text
  return { text: after, changed, repairs, remaining, dialect: choices.for, model, renamedTools }
}

interface Asked {
  /** The field that holds the request, where it stands inside another object. */
  readonly wrapper: string | undefined
  readonly fields: unknown
  readonly history: readonly unknown[]
  readonly model: string | undefined
}

/** What a request asks. Undefined if it holds no history in the shape that the endpoint takes. */
function read(value: unknown, endpoint: Endpoint, options: HealOptions): Asked | undefined {
  const wrapper = wrapperIn(value, endpoint)
  const fields = wrapper === undefined ? value : (value as Body)[wrapper]
  const request = readBody(fields)
  if (request?.key !== codecs[endpoint.format].format.root || !Array.isArray(request.history)) return undefined
  return { wrapper, fields, history: request.history, model: modelOf(value, fields, endpoint, options) }
}

type Choices = HealOptions & { readonly for: DialectId }

/** Whom it asks, in what shape. */
function choicesFor(endpoint: Endpoint, options: HealOptions, model: string | undefined): Choices {
  const reader = options.for ?? readerOf(endpoint, model)
  return { ...options, for: reader, format: endpoint.format, ...(model === undefined ? {} : { model }) }
}

/** Some of Google's endpoints take a request inside another object. */
function wrapperIn(value: unknown, { format }: Endpoint): string | undefined {
  if (format !== 'gemini' || !isRecord(value) || value.contents !== undefined) return undefined
  return ['generateContentRequest', 'request'].find(key => isRecord(value[key]))
}

/** The model that reads: the one that the caller names, the request, what stands around it, or the path. */
const modelOf = (value: unknown, fields: unknown, { model }: Endpoint, options: HealOptions): string | undefined =>
  options.model ?? modelIn(fields) ?? modelIn(value) ?? model

function modelIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { model, modelId } = value
  return typeof model === 'string' ? model : typeof modelId === 'string' ? modelId : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An edit that took a long number apart would show how such numbers are held. */
const isFaithful = (after: string, before: string): boolean =>
  !after.includes('"rawJSON"') || before.includes('"rawJSON"')

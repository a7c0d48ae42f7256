import { readBody } from '../body.ts'
import { type Body, unknownSettings } from '../codecs/envelope.ts'
import { codecs } from '../codecs/index.ts'
import { isRecord } from '../core/conversation.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { detect } from '../detect.ts'
import { mayHoldLongNumbers, parseExactly } from '../exact-json.ts'
import { isHealthy } from '../heal.ts'
import { type HealOptions, type Plan, planFor } from '../options.ts'
import type { Report } from '../report.ts'
import { healRequest } from '../request.ts'
import type { Endpoint } from './endpoint.ts'
import { readerOf } from './reader.ts'

/** The text of a request after healing: the same text if nothing changed. */
export interface Treated extends Report {
  readonly text: string
  readonly dialect: DialectId
  readonly model: string | undefined
}

/** Heals the text of a request to an endpoint. Undefined if it holds no history in the shape that the endpoint takes. */
export function treat(text: string, endpoint: Endpoint, options: HealOptions): Treated | undefined {
  const treated = heal(text, parseJson(text), endpoint, options)
  if (!treated?.changed || !mayHoldLongNumbers(text)) return treated
  const exact = heal(text, parseExactly(text), endpoint, options)
  return exact && isFaithful(exact.text, text) ? exact : treated
}

/**
 * Whether `treat` surely leaves a request as it is: it holds no history, or one without a doubt. Of what is said it matters only
 * whether there are words, unless `repeats` is `drop`. Never throws.
 */
export function isSound(value: unknown, endpoint: Endpoint, options: HealOptions): boolean {
  try {
    const asked = understand(value, endpoint, options)
    if (!asked) return true
    const { fields, history, choices, continues } = asked
    const plan = planFor(history, { continues, ...choices })
    // To heal what is doubtful would ask more of the words than whether there are some.
    if (!isHealthy(history, plan)) return false
    return saysNothingElse(fields as Body, plan) || !healRequest(fields, choices).changed
  } catch {
    return false
  }
}

/** Whether a request says nothing beside its history that could disagree with it. */
function saysNothingElse(fields: Body, { codec, facts }: Plan): boolean {
  const { tools, system } = codec.envelope?.read(fields) ?? unknownSettings
  return tools !== 'none' && system.length === 0 && facts.thinkingSetting === 'free'
}

function heal(text: string, value: unknown, endpoint: Endpoint, options: HealOptions): Treated | undefined {
  const asked = understand(value, endpoint, options)
  if (!asked) return undefined
  const { fields, wrapper, history, choices, model } = asked
  const { body, changed, repairs, remaining } = healRequest(fields, choices)
  // To look at the shape costs more than to see that nothing is broken.
  if (changed && detect(history, endpoint.format) !== endpoint.format) return undefined
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  return { text: changed ? JSON.stringify(whole) : text, changed, repairs, remaining, dialect: choices.for, model }
}

interface Understood {
  /** The field that holds the request, where it stands inside another object. */
  readonly wrapper: string | undefined
  readonly fields: unknown
  readonly history: readonly unknown[]
  readonly continues: boolean
  readonly model: string | undefined
  readonly choices: HealOptions & { readonly for: DialectId }
}

/** What a request asks of whom. Undefined if it holds no history in the shape that the endpoint takes. */
function understand(value: unknown, endpoint: Endpoint, options: HealOptions): Understood | undefined {
  const { format } = endpoint
  const wrapper = format === 'gemini' ? wrapperIn(value) : undefined
  const fields = wrapper === undefined ? value : (value as Body)[wrapper]
  const request = readBody(fields)
  if (request?.key !== codecs[format].wire.root || !Array.isArray(request.history)) return undefined
  const model = options.model ?? request.model ?? modelIn(value) ?? endpoint.model
  const reader = options.for ?? readerOf(endpoint, model)
  const choices = { ...options, for: reader, format, ...(model === undefined ? {} : { model }) }
  return { wrapper, fields, history: request.history, continues: request.continues, model, choices }
}

/** Some of Google's endpoints take a request inside another object. */
function wrapperIn(value: unknown): string | undefined {
  if (!isRecord(value) || value.contents !== undefined) return undefined
  return ['generateContentRequest', 'request'].find(key => isRecord(value[key]))
}

const modelIn = (value: unknown): string | undefined =>
  isRecord(value) && typeof value.model === 'string' ? value.model : undefined

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

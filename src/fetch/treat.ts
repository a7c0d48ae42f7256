import { readBody } from '../body.ts'
import type { Body } from '../codecs/envelope.ts'
import { codecs } from '../codecs/index.ts'
import { isRecord } from '../core/conversation.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { detect } from '../detect.ts'
import { mayHoldLongNumbers, parseExactly } from '../exact-json.ts'
import type { HealOptions } from '../options.ts'
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

function heal(text: string, value: unknown, endpoint: Endpoint, options: HealOptions): Treated | undefined {
  const { format } = endpoint
  const wrapper = format === 'gemini' ? wrapperIn(value) : undefined
  const fields = wrapper === undefined ? value : (value as Body)[wrapper]
  const request = readBody(fields)
  if (request?.key !== codecs[format].wire.root || !Array.isArray(request.history)) return undefined
  const model = options.model ?? request.model ?? modelIn(value) ?? endpoint.model
  const dialect = options.for ?? readerOf(endpoint, model)
  const choices = { ...options, for: dialect, format, ...(model === undefined ? {} : { model }) }
  const { body, changed, repairs, remaining } = healRequest(fields, choices)
  // To look at the shape costs more than to see that nothing is broken.
  if (changed && detect(request.history, format) !== format) return undefined
  const whole = wrapper === undefined ? body : { ...(value as Body), [wrapper]: body }
  return { text: changed ? JSON.stringify(whole) : text, changed, repairs, remaining, dialect, model }
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

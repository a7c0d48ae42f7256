import type { Codec } from '../../../codecs/codec.ts'
import type { CodecId } from '../../../codecs/index.ts'
import { unknownSettings } from '../../../codecs/shared/envelope.ts'
import { type DialectId, dialects } from '../../../core/dialects/index.ts'
import type { Report } from '../../../core/report.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import type { Settings } from '../../../core/settings.ts'
import { decodeHistory, repair } from '../../../heal/heal.ts'
import { type HealOptions, type HealPlan, planFor, unknownFormat } from '../../../heal/options.ts'
import { healRequest } from '../../../heal/request/heal-request.ts'
import { formatOfHistory, type RequestBody, readBody } from '../../../heal/request/request-body.ts'
import type { Foreign, Reading } from './reading.ts'

/** Reads a list of messages, or a whole request with one in it, and heals it as `repair` and `healRequest` do. */
export function readHistory(value: unknown, options: HealOptions): Reading | Foreign {
  const subject = Array.isArray(value) ? listOf(value, options) : bodyOf(value, options)
  if ('foreign' in subject) return subject
  const { history, plan, settings } = subject
  if (plan.foreign !== undefined) return { foreign: plan.foreign === unknownFormat ? unknownShape : plan.foreign }
  const decoded = decodeHistory(history, plan)
  const { value: healed, repairs, remaining } = subject.heal(plan.dialect.id as DialectId)
  const codec: Codec = plan.codec
  return {
    messages: decoded.messages,
    repairs,
    remaining,
    scene: messages => new RuleContext({ ...decoded, messages, ...(settings && { settings }) }, plan),
    codec,
    shape: codec.id as CodecId,
    reader: plan.dialect.id as DialectId,
    readers: (codec.acceptedBy ?? Object.keys(dialects)) as readonly DialectId[],
    check: reader => subject.check(reader),
    healed: () => healed,
  }
}

/** Reads the first messages of a list. Nothing is judged: what is missing here may come later. */
export function readHead(value: unknown, options: HealOptions): Reading | Foreign {
  const reading = readHistory(value, { ...options, allow: [], pending: 'keep' })
  if ('foreign' in reading) return reading
  const { check: _, healed: __, ...rest } = reading
  return { ...rest, remaining: [] }
}

interface Subject {
  readonly history: readonly unknown[]
  readonly plan: HealPlan
  readonly settings?: Settings
  heal(reader: DialectId): Report & { readonly value: unknown }
  check(reader: DialectId): readonly Diagnostic[]
}

function listOf(history: readonly unknown[], options: HealOptions): Subject {
  const plan = planFor(history, options)
  const format = plan.codec.id as CodecId
  return {
    history,
    plan,
    heal(reader) {
      const { messages, ...report } = repair(history, { ...options, format, for: reader })
      return { ...report, value: messages }
    },
    // Where no edit is allowed all that is found remains, and only what is doubtful has been looked at.
    check: reader => repair(history, { ...options, format, for: reader, allow: [] }).remaining,
  }
}

function bodyOf(value: unknown, options: HealOptions): Subject | Foreign {
  const body = readBody(value)
  if (!body) return { foreign: noHistory }
  const { history, fields, model, continues } = body
  if (!Array.isArray(history))
    return { foreign: `what stands under "${body.key}" is no list of messages, so there is nothing to draw` }
  const home = options.for === undefined ? undefined : dialects[options.for].codec
  const format = options.format ?? formatOfHistory(body, home)
  const said: HealOptions = { ...(model === undefined ? {} : { model }), continues, ...options }
  const plan = planFor(history, { ...said, ...(format === undefined ? {} : { format }) })
  const fixed = { ...said, format: plan.codec.id as CodecId }
  if (!isRequest(fields)) return wrapped(listOf(history, fixed), value, body)
  return {
    history,
    plan,
    settings: plan.codec.envelope?.read(fields) ?? unknownSettings,
    heal(reader) {
      const { body: mended, ...report } = healRequest(value, { ...fixed, for: reader })
      return { ...report, value: mended }
    },
    check: reader => healRequest(value, { ...fixed, for: reader, allow: [] }).remaining,
  }
}

/** Whether something beside its history shows that it was made to be sent: an object may also do no more than hold a list. */
const isRequest = (fields: RequestBody['fields']): boolean => requestFields.some(field => fields[field] !== undefined)

const requestFields = [
  ...['model', 'modelId', 'tools', 'toolConfig', 'thinking', 'max_tokens'],
  ...['system', 'systemInstruction', 'system_instruction', 'generationConfig', 'inferenceConfig'],
]

/** A list inside of an object, which stays around it. */
const wrapped = (list: Subject, value: unknown, { fields, key }: RequestBody): Subject => ({
  ...list,
  heal(reader) {
    const report = list.heal(reader)
    return { ...report, value: report.changed ? { ...fields, [key]: report.value } : value }
  },
})

const noHistory = 'this is neither a list of messages nor a request that holds one'
const unknownShape = 'none of its messages has a shape that is known'

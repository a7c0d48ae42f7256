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
import { healLimits } from '../../../heal/request/heal-limits.ts'
import { healRequest } from '../../../heal/request/heal-request.ts'
import { formatOfHistory, type RequestBody, readBody } from '../../../heal/request/request-body.ts'
import type { DecodedDocument, Unsupported } from './decoded-document.ts'
import { withLimitEdits } from './limit-edits.ts'

/** Decodes a list of messages, or a request body with one, and repairs it as `repair` and `healRequest` do. */
export function decodeHistoryDocument(value: unknown, options: HealOptions): DecodedDocument | Unsupported {
  const subject = Array.isArray(value) ? listOf(value, options) : bodyOf(value, options)
  if ('unsupported' in subject) return subject
  const { history, plan, settings } = subject
  if (plan.unreadable !== undefined)
    return { unsupported: plan.unreadable === unknownFormat ? formatUnknown : plan.unreadable }
  const decoded = decodeHistory(history, plan)
  const { value: healed, repairs, remaining } = subject.heal(plan.dialect.id as DialectId)
  const codec: Codec = plan.codec
  return {
    messages: decoded.messages,
    repairs,
    remaining,
    context: messages => new RuleContext({ ...decoded, messages, ...(settings && { settings }) }, plan),
    codec,
    format: codec.id as CodecId,
    dialect: plan.dialect.id as DialectId,
    dialects: (codec.acceptedBy ?? Object.keys(dialects)) as readonly DialectId[],
    check: dialect => subject.check(dialect),
    healed: () => healed,
  }
}

/** Decodes the first messages of a list without checking them: what is missing may come later. */
export function decodeHead(value: unknown, options: HealOptions): DecodedDocument | Unsupported {
  const decoded = decodeHistoryDocument(value, { ...options, allow: [], pending: 'keep' })
  if ('unsupported' in decoded) return decoded
  const { check: _, healed: __, ...rest } = decoded
  return { ...rest, remaining: [] }
}

interface Subject {
  readonly history: readonly unknown[]
  readonly plan: HealPlan
  readonly settings?: Settings
  heal(dialect: DialectId): Report & { readonly value: unknown }
  check(dialect: DialectId): readonly Diagnostic[]
}

function listOf(history: readonly unknown[], options: HealOptions): Subject {
  const plan = planFor(history, options)
  const format = plan.codec.id as CodecId
  return {
    history,
    plan,
    heal(dialect) {
      const { messages, ...report } = repair(history, { ...options, format, for: dialect })
      return { ...report, value: messages }
    },
    // Without allowed edits, everything that is found remains, and healthy segments are skipped.
    check: dialect => repair(history, { ...options, format, for: dialect, allow: [] }).remaining,
  }
}

function bodyOf(value: unknown, options: HealOptions): Subject | Unsupported {
  const body = readBody(value)
  if (!body) return { unsupported: noHistory }
  const { history, fields, model, continues } = body
  if (!Array.isArray(history)) return { unsupported: `"${body.key}" is not a list of messages` }
  const home = options.for === undefined ? undefined : dialects[options.for].codec
  const format = options.format ?? formatOfHistory(body, home)
  const known: HealOptions = { ...(model === undefined ? {} : { model }), continues, ...options }
  const plan = planFor(history, { ...known, ...(format === undefined ? {} : { format }) })
  const fixed = { ...known, format: plan.codec.id as CodecId }
  if (!isRequest(fields)) return wrapped(listOf(history, fixed), value, body)
  return {
    history,
    plan,
    settings: plan.codec.envelope?.read(fields) ?? unknownSettings,
    heal(dialect) {
      const { body: repaired, ...report } = healRequest(value, { ...fixed, for: dialect })
      const own = planFor(history, { ...fixed, for: dialect })
      const within = report.changed ? healLimits(fields, own, {}) : undefined
      if (!within?.changed) return { ...report, value: repaired }
      const limited = decodeHistory(within.body[body.key] as readonly unknown[], own)
      const repairs = withLimitEdits(decodeHistory(history, own), limited, report.repairs, within.repairs.length)
      return { ...report, repairs, value: repaired }
    },
    check: dialect => healRequest(value, { ...fixed, for: dialect, allow: [] }).remaining,
  }
}

/** Whether an object has fields of a request besides its history. Otherwise it is just a wrapper around a list. */
const isRequest = (fields: RequestBody['fields']): boolean => requestFields.some(field => fields[field] !== undefined)

const requestFields = [
  ...['model', 'modelId', 'tools', 'toolConfig', 'thinking', 'max_tokens'],
  ...['system', 'systemInstruction', 'system_instruction', 'generationConfig', 'inferenceConfig'],
]

/** A list inside an object, which is kept around it. */
const wrapped = (list: Subject, value: unknown, { fields, key }: RequestBody): Subject => ({
  ...list,
  heal(dialect) {
    const report = list.heal(dialect)
    return { ...report, value: report.changed ? { ...fields, [key]: report.value } : value }
  },
})

const noHistory = 'it is neither a list of messages nor a request body with one'
const formatUnknown = 'none of its messages has a known format'

import type { Body, Envelope } from '../../codecs/shared/envelope.ts'
import { unknownSettings } from '../../codecs/shared/envelope.ts'
import { isRecord } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { checkRules } from '../../core/rules/check.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import type { Settings } from '../../core/settings.ts'
import { check as checkHistory, isHealthy, read } from '../heal.ts'
import { type HealOptions, type Plan, planFor } from '../options.ts'
import { checkAs } from '../repair-with-plan.ts'
import { repairWithin } from '../segments/repair-segments.ts'
import { readBody, shapeOfHistory } from './request-body.ts'

export interface RequestResult<Request> extends Report {
  /** The request as it can be sent: the same reference if nothing changed. */
  readonly body: Request
}

/**
 * Heals a whole request: its history, and what it says beside it as far as the two depend on each other. Words of the
 * system go where the wire wants them, thinking is switched off where the history has lost it, and tools are declared by
 * name if the history used some and the request declares none. Everything else is left as it is.
 */
export function healRequest<Request>(body: Request, options: HealOptions = {}): RequestResult<Request> {
  const request = readBody(body)
  if (!request) return { body, changed: false, repairs: [], remaining: checkHistory(undefined, options) }
  const { fields, key, history, model, continues } = request
  if (isSingle(key, history)) return { body, changed: false, repairs: [], remaining: [] }
  const home = options.for === undefined ? undefined : codecOf(options.for)
  const format = options.format ?? shapeOfHistory(request, home)
  const plan = planFor(history, {
    ...(model === undefined ? {} : { model }),
    continues,
    ...options,
    ...(format === undefined ? {} : { format }),
  })
  if (!Array.isArray(history) || plan.foreign !== undefined)
    return { body, changed: false, repairs: [], remaining: checkAs(history, plan) }
  const envelope = plan.codec.envelope ?? plainEnvelope
  const settings = envelope.read(fields)
  if (isSettled(history, settings, plan)) return { body, changed: false, repairs: [], remaining: [] }
  const { messages, repairs, remaining, settings: after = settings } = repairWithin(history, settings, plan)
  if (repairs.length === 0) return { body, changed: false, repairs, remaining }
  const mended = envelope.write({ ...fields, [key]: messages }, settings, after) as Request
  const result = { body: mended, changed: true, repairs, remaining }
  options.onRepair?.(result)
  return result
}

/** Some wires take a single text, or a single message, for a whole history: there is nothing in it to heal. */
const isSingle = (key: string, history: unknown): boolean =>
  (typeof history === 'string' && key !== 'messages') || (isRecord(history) && key === 'contents')

/** The shape that a reader takes at home; a name that does not exist is told by the plan. */
const codecOf = (reader: DialectId): string | undefined =>
  Object.hasOwn(dialects, reader) ? dialects[reader].codec : undefined

const plainEnvelope: Envelope = { read: () => unknownSettings, write: (body: Body) => body }

/**
 * Whether the history is healthy and agrees with the settings. Only its open steps can disagree with them, and its calls if
 * no tools are declared, so that much of it is read at most.
 */
function isSettled(history: readonly unknown[], settings: Settings, plan: Plan): boolean {
  if (!isHealthy(history, plan)) return false
  const { facts, codec } = plan
  const isCalled = settings.tools === 'none' && facts.undeclaredTools === 'refuse'
  if (!isCalled && facts.thinkingSetting === 'free' && settings.system.length === 0) return true
  const from = isCalled
    ? 0
    : Math.max(
        0,
        history.findLastIndex(message => codec.opensTurn(message)),
      )
  const { messages, format: wire, continues } = read(from === 0 ? history : history.slice(from), plan)
  const scene = new RuleContext({ messages, format: wire, continues, settings, cutBefore: from > 0 }, plan)
  return checkRules(scene, plan).length === 0
}

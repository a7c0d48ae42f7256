import type { Scan } from '../../../codecs/codec.ts'
import { type CodecId, codecs } from '../../../codecs/index.ts'
import { type Body, unknownSettings } from '../../../codecs/shared/envelope.ts'
import { isRecord } from '../../../core/conversation.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { firstCountedMessage } from '../../../core/request/first-counted.ts'
import { fitEveryHistory } from '../../../core/settings-agree.ts'
import { type HealOptions, type HealPlan, planFor } from '../../../heal/options.ts'
import { surelyKeepsLimits } from '../../../heal/request/heal-limits.ts'
import { healRequest } from '../../../heal/request/heal-request.ts'
import { historyFields } from '../../../heal/request/request-body.ts'
import { firstDoubt, scanFor } from '../../../heal/segments/scan-segments.ts'
import type { Endpoint } from '../endpoint.ts'
import { choicesFor, type EndpointChoices, modelOf, unwrapped, wrapperIn } from './endpoint-request.ts'

/** What was found about the first messages of a healthy history: a longer one that begins with them is checked from there. */
export interface HealthyStart {
  readonly format: CodecId
  readonly dialect: DialectId
  readonly model: string | undefined
  /** The scan after these messages. It is forked for each use. */
  readonly scan: Scan
}

/** A request that needs no repair. */
export interface HealthyRequest {
  readonly dialect: DialectId
  readonly model: string | undefined
}

/**
 * Whether `healRequestText` surely leaves a request unchanged: it contains no history, or a healthy one. Of text content it
 * matters only whether it is blank, unless `repeats` is `drop`. Never throws.
 */
export function isSurelyHealthy(value: unknown, endpoint: Endpoint, options: HealOptions): boolean {
  try {
    const { fields, history, plan, choices } = read(value, endpoint, options)
    if (!history) return true
    // Repairing a doubtful history would need more of its text than whether it is blank.
    if (!passes(history, fields, plan, scanFor(plan.codec, plan.facts))) return false
    return hasNoConflict(fields, plan) || !healRequest(fields, choices).changed
  } catch {
    return false
  }
}

/**
 * The same for a request whose first messages are known to be healthy, and are replaced by `placeholder`. Undefined if it is not surely
 * healthy: then all of it must be checked. All fields but the history are read as always.
 */
export function continuesHealthy(
  value: unknown,
  placeholder: string,
  endpoint: Endpoint,
  options: HealOptions,
  start: HealthyStart,
): HealthyRequest | undefined {
  try {
    const { fields, history, plan } = read(value, endpoint, options)
    // Otherwise the history is not the list that the placeholder was put into, for example because its key occurs twice.
    if (!history || history.shift() !== placeholder) return undefined
    const model = modelOf(value, fields, endpoint, options)
    if (plan.codec.id !== start.format || plan.dialect.id !== start.dialect || model !== start.model) return undefined
    const scan = start.scan.fork?.()
    if (!scan || !passes(history, fields, plan, scan) || !hasNoConflict(fields, plan)) return undefined
    return { dialect: start.dialect, model }
  } catch {
    return undefined
  }
}

/**
 * How far a healthy request can be known from now on: `messages` is how many of its first messages. Nothing that a limit counts is among
 * them, so that the other messages can be checked without them. `from` continues what is known of a request with a placeholder.
 */
export function healthyStart(
  value: unknown,
  endpoint: Endpoint,
  options: HealOptions,
  from?: HealthyStart,
): (HealthyStart & { readonly messages: number }) | undefined {
  const { wrapper, fields, history, plan } = read(value, endpoint, options)
  if (!history || wrapper !== undefined || !hasNoConflict(fields, plan)) return undefined
  const scan = from ? from.scan.fork?.() : scanFor(plan.codec, plan.facts)
  const end = Math.min(history.length - 1, firstCountedMessage(history))
  for (let index = 0; scan && index < end; index++) {
    if (!scan.push(history[index])) return undefined
    const known = index >= end - looseMax ? scan.fork?.() : undefined
    if (!known) continue
    const model = modelOf(value, fields, endpoint, options)
    if ((model?.length ?? 0) > modelMax) return undefined
    return {
      ...{ format: endpoint.format, dialect: plan.dialect.id as DialectId, model },
      ...{ scan: known, messages: index + 1 },
    }
  }
  return undefined
}

/** The last messages may still be changed by the client, and a fork costs too much to be made after each message. */
const looseMax = 8

/** The parts of a request. A history that is not a list is none. */
function read(value: unknown, endpoint: Endpoint, options: HealOptions) {
  const wrapper = wrapperIn(value, endpoint)
  const fields = unwrapped(value, wrapper)
  const { root } = codecs[endpoint.format].format
  // Of several lists `healRequestText` reads the first one in this order.
  const isRead = isRecord(fields) && historyFields.find(key => Array.isArray(fields[key])) === root
  const history = isRead ? (fields[root] as unknown[]) : undefined
  const model = modelOf(value, fields, endpoint, options)
  return { wrapper, fields: fields as Body, history, ...endpointPlan(endpoint, options, model) }
}

const passes = (history: readonly unknown[], fields: Body, plan: HealPlan, scan: Scan): boolean =>
  firstDoubt(history, scan) === undefined && surelyKeepsLimits(fields, plan)

/** Whether no setting of a request can disagree with its history. */
const hasNoConflict = (fields: Body, { codec, facts }: HealPlan): boolean =>
  fitEveryHistory(codec.envelope?.read(fields) ?? unknownSettings, facts)

/** How histories are repaired for one model at an endpoint. */
interface EndpointPlan {
  readonly options: HealOptions
  readonly choices: EndpointChoices
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
/** A longer name of a model is not kept: it may be anything. */
const [plansMax, modelMax] = [100, 200]

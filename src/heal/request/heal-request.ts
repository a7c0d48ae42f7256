import { isContent } from '../../codecs/gemini-interactions/steps.ts'
import type { Body, Envelope } from '../../codecs/shared/envelope.ts'
import { unknownSettings } from '../../codecs/shared/envelope.ts'
import { isRecord } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import type { Resize } from '../../core/media/resize.ts'
import type { Report } from '../../core/report.ts'
import { checkRules } from '../../core/rules/check.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import type { Settings } from '../../core/settings.ts'
import { fitEveryHistory } from '../../core/settings-agree.ts'
import { check as checkHistory, decodeHistory, isHealthy } from '../heal.ts'
import { type HealOptions, type HealPlan, planFor } from '../options.ts'
import { checkWithPlan } from '../repair-with-plan.ts'
import { repairWithin } from '../segments/repair-segments.ts'
import { healLimits } from './heal-limits.ts'
import { formatOfHistory, readBody } from './request-body.ts'

export interface RequestResult<Request> extends Report {
  /** The repaired request: the same reference if nothing changed. */
  readonly body: Request
  /**
   * Tools that were renamed in the repaired request: the caller's name, by the new name. The answer of the provider has the new names.
   */
  readonly renamedTools?: ReadonlyMap<string, string>
}

export interface RequestOptions extends HealOptions {
  /**
   * Renames tools whose names the provider rejects. The caller must put its own names, from `renamedTools`, back into the answer. By default
   * such names are only reported.
   */
  readonly renameTools?: boolean
  /**
   * Makes a smaller image of one that is too large for the provider; undefined if it cannot. Without it, or if what it returns is still too
   * large or not an image, the image becomes a text.
   */
  readonly resize?: Resize | undefined
}

/**
 * Heals a whole request: its history, and the settings that depend on it. System text moves to where the format requires it,
 * thinking is disabled where the history has lost it, and tools are declared by name if the history used some and the
 * request declares none. Media, cache marks, fields and tools beyond the limits of the provider are repaired too.
 * Everything else is unchanged.
 */
export function healRequest<Request>(body: Request, options: RequestOptions = {}): RequestResult<Request> {
  const request = readBody(body)
  if (!request)
    return {
      body,
      changed: false,
      repairs: [],
      remaining: isContinuation(body) ? [] : checkHistory(undefined, options),
    }
  const { fields, key, history, model, continues } = request
  if (isSingleMessage(key, history)) return { body, changed: false, repairs: [], remaining: [] }
  const native = options.for === undefined ? undefined : nativeFormat(options.for)
  const format = options.format ?? formatOfHistory(request, native)
  const plan = planFor(history, {
    ...(model === undefined ? {} : { model }),
    continues,
    ...options,
    ...(format === undefined ? {} : { format }),
  })
  if (!Array.isArray(history) || plan.unreadable !== undefined)
    return { body, changed: false, repairs: [], remaining: checkWithPlan(history, plan) }
  const within = healLimits(fields, plan, options)
  const healed = healHistory(within?.body ?? fields, key, plan)
  const [repairs, remaining] = within
    ? [
        [...within.repairs, ...healed.repairs],
        [...within.remaining, ...healed.remaining],
      ]
    : [healed.repairs, healed.remaining]
  if (repairs.length === 0) return { body, changed: false, repairs, remaining }
  const renamed = within && within.renamedTools.size > 0 ? { renamedTools: within.renamedTools } : {}
  const result = { body: healed.body as Request, changed: true, repairs, remaining, ...renamed }
  options.onRepair?.(result)
  return result
}

/** Heals the history of a request, and the settings that depend on it. */
function healHistory(fields: Body, key: string, plan: HealPlan): RequestResult<Body> {
  const history = fields[key] as readonly unknown[]
  const envelope = plan.codec.envelope ?? plainEnvelope
  const settings = envelope.read(fields)
  if (isHealthyRequest(history, settings, plan)) return { body: fields, changed: false, repairs: [], remaining: [] }
  const { messages, repairs, remaining, settings: after = settings } = repairWithin(history, settings, plan)
  if (repairs.length === 0) return { body: fields, changed: false, repairs, remaining }
  return {
    body: envelope.write({ ...fields, [key]: messages }, settings, after),
    changed: true,
    repairs,
    remaining,
  }
}

/** Some formats accept a single text or a single message as the whole history: nothing in it needs healing. */
const isSingleMessage = (key: string, history: unknown): boolean =>
  (typeof history === 'string' && key !== 'messages') ||
  (isRecord(history) && (key === 'contents' || (key === 'input' && isContent(history))))

/** A request for the rest of an unfinished interaction has no input. */
const isContinuation = (body: unknown): boolean => isRecord(body) && typeof body.continuation_token === 'string'

/** The native format of a dialect; `planFor` reports an unknown name. */
const nativeFormat = (dialect: DialectId): string | undefined =>
  Object.hasOwn(dialects, dialect) ? dialects[dialect].codec : undefined

const plainEnvelope: Envelope = { read: () => unknownSettings, write: (body: Body) => body }

/**
 * Whether the history is healthy and agrees with the settings. Only its open steps can disagree with them, and its
 * calls if no tools are declared, so at most those are read.
 */
function isHealthyRequest(history: readonly unknown[], settings: Settings, plan: HealPlan): boolean {
  if (!isHealthy(history, plan)) return false
  const { facts, codec } = plan
  if (fitEveryHistory(settings, facts)) return true
  const isCalled = settings.tools === 'none' && facts.undeclaredTools === 'refuse'
  const from = isCalled
    ? 0
    : Math.max(
        0,
        history.findLastIndex(message => codec.opensTurn(message)),
      )
  const { messages, format, continues } = decodeHistory(from === 0 ? history : history.slice(from), plan)
  const context = new RuleContext({ messages, format, continues, settings, cutBefore: from > 0 }, plan)
  return checkRules(context, plan).length === 0
}

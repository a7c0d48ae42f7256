import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { isReadAs } from '../detect.ts'
import type { HealOptions } from '../options.ts'
import { healRequest, type RequestOptions, type RequestResult } from '../request/heal-request.ts'
import { formatOfHistory, readBody } from '../request/request-body.ts'
import { joinRenames } from './join-renames.ts'
import { healRejectedPrompt } from './prompt.ts'
import type { Rejection } from './rejection.ts'
import { rejectionRepairs } from './repairs/index.ts'
import { RequestDraft } from './request-draft.ts'

/**
 * Repairs a request that a provider rejected: makes the smallest change that resolves the rejection, and all repairs of `healRequest`.
 * The same reference is returned if nothing can or may be changed. What was changed is in the report, each change with its class.
 */
export function healRejected<Request>(
  body: Request,
  rejection: Rejection,
  options: RequestOptions = {},
): RequestResult<Request> {
  return answerRejection(body, rejection, options, false)
}

/** The same for a request that was sent after `healRequest` had repaired it: `body` is the request before that. */
export const healRejectedAfterHealing = <Request>(
  body: Request,
  rejection: Rejection,
  options: RequestOptions,
): RequestResult<Request> => answerRejection(body, rejection, options, true)

function answerRejection<Request>(
  body: Request,
  rejection: Rejection,
  options: RequestOptions,
  wasHealed: boolean,
): RequestResult<Request> {
  const same = { body, changed: false, repairs: [], remaining: [] }
  if (options.format === 'ai-sdk' && isPrompt(body)) return healRejectedPrompt(body, rejection, options)
  const request = readBody(body)
  if (!request || rejection.kind === 'not-healable' || isTooDeep(body)) return same
  const format = options.format ?? formatOfHistory(request)
  if (format === undefined) return same
  // The names of declared tools change with this rejection in any case: those in the history must change in the same way.
  const renameTools = options.renameTools ?? rejection.kind === 'tool-name'
  const reading = { ...options, format, renameTools }
  const first = heal(body, rejection.history ? retryOptions(reading, rejection, format) : reading, format)
  const repair = rejection.repair === undefined ? undefined : rejectionRepairs[rejection.repair]
  if (!repair || !requestFormats.has(format)) return first
  // The text does not name the image: if some cannot be read by their headers, they are the reason, and no other is
  // suspected.
  if (
    !wasHealed &&
    guessingRepairs.has(rejection.repair ?? '') &&
    first.repairs.some(({ rule }) => imageRules.has(rule))
  )
    return first
  const draft = new RequestDraft(first.body, format, rejection, options)
  repair(draft)
  if (!draft.changed) return { ...first, remaining: [...first.remaining, ...draft.remaining] }
  // What was removed may have left something that the provider would reject next.
  const last = heal(draft.body as Request, reading, format)
  const renamed = joinRenames(first.renamedTools, draft.renamedTools.size > 0 ? draft.renamedTools : undefined)
  return {
    body: last.body,
    changed: true,
    repairs: [...first.repairs, ...draft.repairs, ...last.repairs],
    remaining: [...draft.remaining, ...last.remaining],
    ...(renamed && { renamedTools: renamed }),
  }
}

/** Repairs that suspect images whose headers are valid. */
const guessingRepairs: ReadonlySet<string> = new Set(['image-unreadable', 'image-type', 'image-base64'])

/** Rules that find the image that such an error is about. */
const imageRules: ReadonlySet<string> = new Set(['unreadable-image', 'unsupported-image', 'mislabelled-image'])

/** Whether a value is the prompt of an AI SDK model call. */
const isPrompt = (body: unknown): boolean => isRecord(body) && Array.isArray(body.prompt)

/** The formats that requests are sent in. */
const requestFormats: ReadonlySet<CodecId> = new Set([
  ...(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock', 'ollama', 'gemini-interactions'] as const),
])

/** What `healRequest` makes of a body, unless its history is in another format than the endpoint takes. */
function heal<Request>(body: Request, options: RequestOptions, format: CodecId): RequestResult<Request> {
  const { onRepair: _, ...quiet } = options
  const result = healRequest(body, quiet)
  const history = readBody(body)?.history
  if (!result.changed || isReadAs(history, format)) return result
  return { body, changed: false, repairs: [], remaining: [] }
}

/** The options for a rejected history: no call stays open, orphans are dropped, suspected defects are repaired too, and the rules are those of the provider that rejected it. */
export function retryOptions<Options extends HealOptions>(
  options: Options,
  { history = {} }: Rejection,
  format: CodecId,
): Options {
  const { acceptedBy }: Codec = codecs[format]
  const { reader: dialect, model, orphan } = history
  if (history.format !== undefined && history.format !== format) return options
  return {
    ...options,
    // A format that few providers accept is read with their rules alone, whichever provider's message they pass on.
    ...(dialect !== undefined && (acceptedBy?.includes(dialect) ?? true) ? { for: dialect } : {}),
    pending: 'answer',
    cautious: true,
    orphans: 'drop',
    ...(model === undefined ? {} : { model }),
    ...(orphan ? { continues: false } : {}),
  }
}

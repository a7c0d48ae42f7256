import type { Resize } from '../../core/media/resize.ts'
import { planFor } from '../../heal/options.ts'
import { isResolved } from '../../heal/rejections/is-resolved.ts'
import { RejectionMemory } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { ImageResizer } from '../../heal/request/image-resizer.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { tapeFromEnvironment } from '../../observe/tape/environment.ts'
import { traceRepairs } from '../../observe/telemetry/trace-repairs.ts'
import { HealthyPrefixes } from './check/healthy-prefixes.ts'
import { healTextByPrefix } from './check/text-prefix.ts'
import { type Endpoint, findEndpoint } from './endpoint.ts'
import type { HealFetchOptions } from './fetch-options.ts'
import { readFetchBody, readFetchRequest } from './fetch-request.ts'
import type { HealedText } from './heal-request-text.ts'
import { lessonKey } from './lesson-key.ts'
import { notify } from './notify.ts'
import { recordFailure, recordResponse } from './record-response.ts'
import { reportOf } from './report-of.ts'
import { rejectionIn } from './response-rejection.ts'
import { restoreNames } from './restore-names.ts'
import { signatureError } from './signed.ts'
import { discard } from './web-stream.ts'

/**
 * A `fetch` that repairs the histories in the requests of any SDK that accepts a custom `fetch`. Healthy requests and all
 * other requests are sent unchanged. No request fails because of it: if a repair fails, the original is sent. If the provider
 * rejects the request with a known error message, it is repaired using that message and retried once.
 */
export function healFetch(options: HealFetchOptions = {}): typeof globalThis.fetch {
  const {
    fetch,
    onRepair = warnOfLoss,
    onError = warn,
    maxBytes = 64 * 1024 * 1024,
    tape = tapeFromEnvironment(),
    telemetry = true,
    resize,
    ...choices
  } = options
  // Throws for an unknown name now, not at the first request.
  planFor([], choices)
  const memory = memoryOf(fetch)
  const prefixes = HealthyPrefixes.create()
  const resizer = new ImageResizer(resize, error => notify(onError, error))
  let warnedOfSignature = false

  async function heal(
    text: string,
    endpoint: Endpoint,
    scope: string,
    signal: AbortSignal | undefined,
    rejection?: Rejection,
  ): Promise<HealedText | undefined> {
    try {
      const after = { rejection, lessons: memory.recall(scope) }
      const healWith = (resize: Resize | undefined) =>
        healTextByPrefix(prefixes, text, endpoint, resize ? { ...choices, resize } : choices, after)
      return await resizer.run(healWith, signal)
    } catch (error) {
      notify(onError, error)
      return undefined
    }
  }

  /** Sends a request that was read, and records it on the tape, if there is one. */
  async function sendHealed(
    result: HealedText,
    text: string,
    { url, format }: Endpoint,
    send: () => Promise<Response>,
  ): Promise<Response> {
    if (!tape) return send()
    const { dialect, changed, repairs } = result
    const request = tape.request({ url: url.href, format: format, dialect, body: text })
    if (changed) tape.repair({ request, repairs })
    try {
      return recordResponse(tape, request, await send(), format)
    } catch (error) {
      recordFailure(tape, request, error)
      throw error
    }
  }

  const original = globalThis.fetch
  const healed: typeof globalThis.fetch = async (...args) => {
    // Looked up now, since programs replace the global one to trace or to test; some replace it with this function.
    const send = fetch ?? (globalThis.fetch === healed ? original : globalThis.fetch)
    const request = readFetchRequest(args)
    const endpoint = request?.method === 'POST' ? findEndpoint(request.url) : undefined
    if (!request || !endpoint) return send(...args)
    const signature = signatureError(request.url, request.headers)
    if (signature) {
      if (!warnedOfSignature) notify(onError, signature)
      warnedOfSignature = true
      return send(...args)
    }

    const { sent, text, withText } = await readFetchBody(request, maxBytes)
    const scope = lessonKey(request.url.href, request.headers)
    const first = text === undefined ? undefined : await heal(text, endpoint, scope, request.signal)
    if (text === undefined || !first) return send(...sent)
    if (first.changed) notify(onRepair, reportOf(first, endpoint))
    if (first.changed) await traceRepairs(telemetry, first)
    const answered = await sendHealed(first, text, endpoint, () =>
      send(...(first.changed ? withText(first.text) : sent)),
    )

    const { response, found: rejection } = await rejectionIn(answered, first.text, request.signal)
    if (!rejection) return restoreNames(response, first.renamedTools)
    const second = await heal(text, endpoint, scope, request.signal, rejection)
    if (!second?.changed || second.text === first.text) return response
    const refusal = { status: response.status, fact: rejection.id }
    notify(onRepair, reportOf(second, endpoint, refusal))
    await traceRepairs(telemetry, { ...second, refusal })
    const again = () => sendHealed(second, text, endpoint, () => send(...withText(second.text)))
    const retried = await sendAgain(again, response, request.signal)
    const { response: answer, isError, found: next } = await rejectionIn(retried, second.text, request.signal)
    if (!isError || isResolved(rejection, next))
      memory.learn(scope, second.model, rejection, parse(first.text), parse(second.text), parse(text))
    return restoreNames(answer, second.renamedTools)
  }
  return healed
}

/** Lessons from rejections are shared by all callers that use the same `fetch`, for the life of the process. */
function memoryOf(send: typeof globalThis.fetch | undefined): RejectionMemory {
  const owner = send ?? globalThis
  const memory = memories.get(owner) ?? new RejectionMemory()
  memories.set(owner, memory)
  return memory
}

const memories = new WeakMap<object, RejectionMemory>()

const parse = (text: string): unknown => JSON.parse(text)

/** The answer to the retry; if there is none, the first rejection, as without the retry. */
async function sendAgain(
  send: () => Promise<Response>,
  refused: Response,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    const response = await send()
    discard(refused.body)
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    return refused
  }
}

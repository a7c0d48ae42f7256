import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { tapeFromEnvironment } from '../../observe/tape/environment.ts'
import { traceRepairs } from '../../observe/telemetry/trace-repairs.ts'
import { type Endpoint, findEndpoint } from './endpoint.ts'
import type { HealFetchOptions } from './fetch-options.ts'
import { openParcel, readParcel } from './parcel.ts'
import { readRefusal } from './read-refusal.ts'
import { recordFailure, recordResponse } from './record-response.ts'
import { reportOf } from './report-of.ts'
import { signatureOf } from './signed.ts'
import { stricter } from './stricter.ts'
import { tell } from './tell.ts'
import { type Treated, treat } from './treat.ts'

/**
 * A `fetch` that heals the histories in the requests of any SDK that takes one. Whatever else it is given, and every
 * healthy request, it sends as it came. No request fails because of it: if healing does, the original goes out. If the
 * provider refuses a history all the same, it is healed once more as the refusal says, and sent once more.
 */
export function healFetch(options: HealFetchOptions = {}): typeof globalThis.fetch {
  const {
    fetch,
    onRepair = warnOfLoss,
    onError = warn,
    maxBytes = 64 * 1024 * 1024,
    tape = tapeFromEnvironment(),
    telemetry = true,
    ...choices
  } = options
  // A name that does not exist is told to whoever wrote it, not at the first request.
  planFor([], choices)
  let warnedOfSignature = false

  function heal(text: string, endpoint: Endpoint, choices: HealOptions): Treated | undefined {
    try {
      return treat(text, endpoint, choices)
    } catch (error) {
      tell(onError, error)
      return undefined
    }
  }

  /** Sends a request that was treated, and tells the tape, if there is one. */
  async function sendTreated(
    treated: Treated,
    text: string,
    { url, format }: Endpoint,
    send: () => Promise<Response>,
  ): Promise<Response> {
    if (!tape) return send()
    const { dialect, changed, repairs } = treated
    const request = tape.request({ url: url.href, wire: format, dialect, body: text })
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
    // Looked up now, since programs replace the global one to trace or to test; some replace it by this very one.
    const send = fetch ?? (globalThis.fetch === healed ? original : globalThis.fetch)
    const parcel = readParcel(args)
    const endpoint = parcel?.method === 'POST' ? findEndpoint(parcel.url) : undefined
    if (!parcel || !endpoint) return send(...args)
    const signature = signatureOf(parcel.url, parcel.headers)
    if (signature) {
      if (!warnedOfSignature) tell(onError, signature)
      warnedOfSignature = true
      return send(...args)
    }

    const { sent, text, withText } = await openParcel(parcel, maxBytes)
    const first = text === undefined ? undefined : heal(text, endpoint, choices)
    if (text === undefined || !first) return send(...sent)
    if (first.changed) tell(onRepair, reportOf(first, endpoint))
    if (first.changed) await traceRepairs(telemetry, first)
    const response = await sendTreated(first, text, endpoint, () =>
      send(...(first.changed ? withText(first.text) : sent)),
    )

    const refusal = await readRefusal(response, parcel.signal)
    if (!refusal) return response
    const second = heal(text, endpoint, stricter(choices, refusal, first.dialect, endpoint.format))
    if (!second?.changed || second.text === first.text) return response
    const refused = { status: response.status, fact: refusal.fact }
    tell(onRepair, reportOf(second, endpoint, refused))
    await traceRepairs(telemetry, { ...second, refusal: refused })
    const again = () => sendTreated(second, text, endpoint, () => send(...withText(second.text)))
    return sendAgain(again, response, parcel.signal)
  }
  return healed
}

/** The answer to the second request; if there is none, the first refusal, which the caller would have got anyway. */
async function sendAgain(
  send: () => Promise<Response>,
  refused: Response,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    const response = await send()
    refused.body?.cancel().catch(() => {})
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    return refused
  }
}

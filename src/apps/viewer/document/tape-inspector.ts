import { type Inspection, inspect, recordedOptions } from '../../../observe/tape/inspect.ts'
import type { HistoryDocument, HistoryOptions, TapeDocument } from '../protocol.ts'

/** An open tape: its analysis, computed once, and its requests as documents. */
export class TapeInspector {
  readonly #document: TapeDocument
  #inspection: Inspection | undefined

  constructor(document: TapeDocument) {
    this.#document = document
  }

  /** Without the bodies of requests: they are long, and the page has them already. */
  get inspection(): Inspection {
    const { requests, ...rest } = this.#inspected
    return { ...rest, requests: requests.map(seen => ({ ...seen, request: { ...seen.request, body: undefined } })) }
  }

  /** A request by its number, from 1; undefined if its body is not on the tape. */
  request(number: number): HistoryDocument | undefined {
    const seen = this.#inspected.requests[number - 1]
    if (seen?.request.body === undefined) return undefined
    const { request, content: decoded } = seen
    const known = decoded ? { for: decoded.dialect, format: decoded.format } : recordedOptions(request)
    return {
      kind: 'history',
      name: `${this.#document.name}, request ${number}`,
      value: request.body,
      options: known as HistoryOptions,
    }
  }
  get #inspected(): Inspection {
    this.#inspection ??= inspect(this.#document.entries)
    return this.#inspection
  }
}

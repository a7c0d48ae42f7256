import { type Inspection, inspect, recordedOptions } from '../../../observe/tape/inspect.ts'
import type { HistoryDocument, HistoryOptions, TapeDocument } from '../protocol.ts'

/** A tape that was opened: what it tells, worked out once, and its requests as documents. */
export class Tape {
  readonly #document: TapeDocument
  #inspection: Inspection | undefined

  constructor(document: TapeDocument) {
    this.#document = document
  }

  /** Without the bodies of requests: they are long, and whoever asks has the tape. */
  get inspection(): Inspection {
    const { requests, ...rest } = this.#inspected
    return { ...rest, requests: requests.map(seen => ({ ...seen, request: { ...seen.request, body: undefined } })) }
  }

  /** The request of a number, counted from 1; undefined if the tape has no body of it. */
  request(number: number): HistoryDocument | undefined {
    const seen = this.#inspected.requests[number - 1]
    if (seen?.request.body === undefined) return undefined
    const { request, content: reading } = seen
    const known = reading ? { for: reading.dialect, format: reading.format } : recordedOptions(request)
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

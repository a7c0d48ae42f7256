import type { Endpoint } from './endpoint.ts'
import type { FetchReport } from './fetch-options.ts'
import type { HealedText } from './heal-request-text.ts'

/** The report of a request, as listeners get it. */
export function reportOf(
  healed: Omit<HealedText, 'text'>,
  { url, format }: Endpoint,
  refusal?: FetchReport['refusal'],
): FetchReport {
  const { changed, repairs, remaining, dialect, model } = healed
  return {
    ...{ changed, repairs, remaining, url: url.origin + url.pathname, dialect, format },
    ...(model === undefined ? {} : { model }),
    ...(refusal && { refusal }),
  }
}

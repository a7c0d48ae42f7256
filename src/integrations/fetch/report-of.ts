import type { Endpoint } from './endpoint.ts'
import type { FetchReport } from './fetch-options.ts'
import type { Treated } from './treat.ts'

/** What was done to a request, for whoever listens. */
export function reportOf(
  treated: Omit<Treated, 'text'>,
  { url, format }: Endpoint,
  refusal?: FetchReport['refusal'],
): FetchReport {
  const { changed, repairs, remaining, dialect, model } = treated
  return {
    ...{ changed, repairs, remaining, url: url.origin + url.pathname, dialect, format },
    ...(model === undefined ? {} : { model }),
    ...(refusal && { refusal }),
  }
}

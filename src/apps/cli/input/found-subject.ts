import { codecs } from '../../../codecs/index.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { inputIn } from '../../../doctor/files/input.ts'
import type { Parse } from '../../../doctor/files/parse-json.ts'
import { historyIn, type ReadHistory } from '../../../doctor/files/read-history.ts'
import type { SourceText } from '../../../doctor/files/source.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { readBody } from '../../../heal/request/request-body.ts'
import { findEndpoint } from '../../../integrations/fetch/endpoint.ts'
import { endpointDialect } from '../../../integrations/fetch/endpoint-dialect.ts'
import { cleanText } from '../../../observe/tape/clean-url.ts'
import type { FoundHistory } from '../../unwrap/find-histories.ts'

/** What a command works on: an input, and the plan for it. */
export interface Subject extends ReadHistory {
  /** The larger text in which it was found, such as a HAR or a log; absent if the input is the history itself. */
  readonly foundIn?: FoundIn
}

export interface FoundIn {
  /** What this text is, such as `a HAR`. */
  readonly kind: string
  /** One line that says where the history was found. */
  readonly note: string
  /** The place of the history in it. */
  readonly at: string
  /** The command uses all histories of the text, such as every line of a file, not only this one. */
  readonly isSeries: boolean
  /** Puts another history into the line of JSONL that holds it. */
  readonly replace?: (messages: readonly unknown[]) => void
}

/** A history that was found in something larger, as if it were a file of its own, in JSON. */
export function foundSubject(
  { name, path, text }: Pick<SourceText, 'name' | 'path' | 'text'>,
  found: FoundHistory,
  chosen: HealOptions,
  parse: Parse,
): ReadHistory {
  const dialect = dialectOf(found)
  const source = {
    ...{ name, bytes: Buffer.from(text), text, container: path ?? '-' },
    ...(dialect === undefined ? {} : { for: dialect }),
  }
  return historyIn(inputIn(source, parse), chosen)
}

/** The provider that the URL of a request leads to, where the URL is a whole one and the request fits it. */
function dialectOf({ url, value }: FoundHistory): DialectId | undefined {
  if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url)) return undefined
  const endpoint = findEndpoint(new URL(url))
  const body = readBody(value)
  if (!endpoint || !body || codecs[endpoint.format].format.root !== body.key) return undefined
  return endpointDialect(endpoint, body.model ?? endpoint.model)
}

/** What was around a history, in words. */
export function describeContainer(kind: string, { at, url }: Pick<FoundHistory, 'at' | 'url'>): string {
  const place = at === '' ? '' : `, ${at}`
  return `${kind}${place}${url === undefined ? '' : `, sent to ${withoutSecrets(url)}`}`
}

/** Host and path: a query or a user name may hold a key, and so may a part of the path. */
function withoutSecrets(url: string): string {
  const { host, pathname } = (/^https?:\/\//i.test(url) ? URL.parse(url) : null) ?? bare(url)
  return `${host}${cleanText(pathname)}`
}

/** The place in a text that is not a whole URL, without a user name before it. */
function bare(url: string): { host: string; pathname: string } {
  const [place = ''] = url.slice(url.lastIndexOf('@') + 1).split(/[?#]/, 1)
  return { host: '', pathname: place }
}

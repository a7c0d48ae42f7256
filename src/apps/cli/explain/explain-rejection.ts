import { existsSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { pages } from '../../../core/rules/pages.ts'
import { shellWord } from '../../../core/shell-word.ts'
import { isLines, splitLines } from '../../../doctor/files/lines.ts'
import { rejectionKinds } from '../../../heal/rejections/kinds.ts'
import { readRejection } from '../../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../../heal/rejections/table/index.ts'
import { isBody, isHistory } from '../../unwrap/find-histories.ts'
import { findCurl } from '../../unwrap/read-curl.ts'
import { unwrap } from '../../unwrap/unwrap.ts'
import { statusIn } from '../input/status-in.ts'
import { pagePath } from '../page-path.ts'
import { plain } from '../plain.ts'
import { closestRejection } from './closest-rejection.ts'
import { type FrameworkError, frameworkErrors } from './framework-errors.ts'
import { rejectingRules } from './rejecting-rules.ts'
import { rejectionSources } from './rejection-sources.ts'

/**
 * Explains an error of a provider or of a framework: why it happens, and how it is repaired. A text that is not known is explained by the
 * error that contains most of its words; throws if there is none. `source` is what the text was given as: `-`, `@FILE`, a file or itself.
 */
export async function explainRejection(text: string, json: boolean, source: string): Promise<string> {
  if (isRequest(text)) throw notAnError(source)
  const framework = frameworkErrors.find(({ words }) => words.test(text.slice(0, textMax)))
  if (framework) return json ? frameworkJson(framework) : explainFramework(framework)
  const rejection = readRejection(statusIn(text) ?? 400, text)
  const entry = rejection ? rejectionTable.find(({ id }) => id === rejection.id) : closestRejection(text)
  if (!rejection && holdsRequest(text)) throw notAnError(source)
  if (!entry)
    throw new AntiphonError('unknown-rejection', 'unknown error of a provider', {
      hint: 'pass the whole error, as the provider sent it',
    })
  const { kind, id, provider = 'any' } = entry
  const sources = (await rejectionSources(entry)).join(', ')
  const seen = sources === '' ? undefined : sources
  const { why, repair } = rejectionKinds[kind]
  const named = rejection ? namedIn(rejection) : []
  const rules = rejectingRules(text)
  if (json)
    return JSON.stringify({
      kind,
      id,
      provider,
      why,
      rules,
      repair,
      named,
      source: seen,
      exact: rejection !== undefined,
    })
  return [
    `${rejection ? '' : 'The closest known error: '}${kind} (${id}), from ${provider === 'any' ? 'any provider' : provider}`,
    `   = why: ${why}`,
    ...rules.map(rule => `   = rule: ${rule}: ${pages[rule]?.summary}`),
    `   = repair: ${repair}`,
    ...(named.length === 0
      ? []
      : [`   = it names: ${plain(named.map(([name, value]) => `${name} ${value}`).join(', '))}`]),
    ...(seen === undefined ? [] : [`   = seen in: ${seen}`]),
    ...(kind === 'not-healable'
      ? []
      : ['   = next: save the request and this error, and run: antiphon heal request.json --because error.json']),
    `   = more: ${pagePath('docs/rejections.md')}`,
  ].join('\n')
}

const notAnError = (source: string): AntiphonError => {
  const file = source.startsWith('@') ? source.slice(1) : source
  const command =
    source === '-' ? 'antiphon check -' : existsSync(file) ? `antiphon check ${shellWord(file)}` : undefined
  return new AntiphonError('unknown-rejection', 'this is a request, not an error of a provider', {
    hint: command === undefined ? 'save it, and run: antiphon check FILE' : `check it with: ${command}`,
  })
}

/** Whether a text is a request or a history itself. The words of an error inside its messages do not count. */
function isRequest(text: string): boolean {
  const value = isLines(text) ? splitLines(text).map(line => tryParseJson(line.text)) : tryParseJson(text)
  return isBody(value) || isHistory(value)
}

/** Whether a request can be taken out of a text, such as a curl command or code. */
function holdsRequest(text: string): boolean {
  const unwrapped = unwrap(text)
  return unwrapped !== undefined && ('found' in unwrapped || findCurl(text))
}

/** The message of a framework is at the beginning of what it prints. */
const textMax = 20_000

const frameworkJson = ({ words: _, ...error }: FrameworkError): string =>
  JSON.stringify({ ...error, page: pagePath(error.page), exact: true })

const explainFramework = ({ from, why, repair, page }: FrameworkError): string =>
  [`an error of ${from}`, `   = why: ${why}`, `   = repair: ${repair}`, `   = more: ${pagePath(page)}`].join('\n')

const names = [
  'limit',
  'used',
  'asked',
  'over',
  'item',
  'tool',
  'parameter',
  'successor',
  'value',
  'role',
  'type',
  'index',
] as const

function namedIn(rejection: Rejection): (readonly [string, string])[] {
  const named = names.flatMap(name => (rejection[name] === undefined ? [] : [[name, String(rejection[name])] as const]))
  return [...named, ...rejection.paths.map(path => ['place', path.join('.')] as const)]
}

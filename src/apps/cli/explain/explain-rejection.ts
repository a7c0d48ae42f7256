import { AntiphonError } from '../../../core/errors.ts'
import { rejectionKinds } from '../../../heal/rejections/kinds.ts'
import { readRejection } from '../../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../../heal/rejections/table/index.ts'
import { plain } from '../plain.ts'
import { closestRejection } from './closest-rejection.ts'
import { type FrameworkError, frameworkErrors } from './framework-errors.ts'

/**
 * Explains an error of a provider or of a framework: why it happens, and how it is repaired. A text that is not known is explained by the
 * error that contains most of its words; throws if there is none.
 */
export function explainRejection(text: string, json: boolean): string {
  const framework = frameworkErrors.find(({ words }) => words.test(text.slice(0, textMax)))
  if (framework) return json ? JSON.stringify(withoutWords(framework)) : explainFramework(framework)
  const rejection = readRejection(statusIn(text), text)
  const entry = rejection ? rejectionTable.find(({ id }) => id === rejection.id) : closestRejection(text)
  if (!entry)
    throw new AntiphonError('unknown-rejection', 'unknown error of a provider', {
      hint: 'pass the whole error, as the provider sent it',
    })
  const { kind, id, source, provider = 'any' } = entry
  const { why, repair } = rejectionKinds[kind]
  const named = rejection ? namedIn(rejection) : []
  if (json) return JSON.stringify({ kind, id, provider, why, repair, named, source, exact: rejection !== undefined })
  return [
    `${rejection ? '' : 'The closest known error: '}${kind} (${id}), from ${provider}`,
    `   = why: ${why}`,
    `   = repair: ${repair}`,
    ...(named.length === 0
      ? []
      : [`   = it names: ${plain(named.map(([name, value]) => `${name} ${value}`).join(', '))}`]),
    `   = seen in: ${source}`,
    '   = more: docs/rejections.md',
  ].join('\n')
}

/** The message of a framework is at the beginning of what it prints. */
const textMax = 20_000

const withoutWords = ({ words: _, ...error }: FrameworkError): object => ({ ...error, exact: true })

const explainFramework = ({ from, why, repair, page }: FrameworkError): string =>
  [`an error of ${from}`, `   = why: ${why}`, `   = repair: ${repair}`, `   = more: ${page}`].join('\n')

/** The status in a log line; without one, 400. */
const statusIn = (text: string): number => Number(/\b(4\d\d|5\d\d)\b/.exec(text.slice(0, 200))?.[1] ?? 400)

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

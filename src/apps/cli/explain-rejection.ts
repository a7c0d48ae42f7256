import { AntiphonError } from '../../core/errors.ts'
import { rejectionKinds } from '../../heal/rejections/kinds.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../heal/rejections/table/index.ts'
import { plain } from './plain.ts'

/** Explains an error of a provider: its kind, why it happens, and how it is repaired. Throws if the error is not known. */
export function explainRejection(text: string, json: boolean): string {
  const rejection = readRejection(statusIn(text), text)
  if (!rejection)
    throw new AntiphonError('unknown-rejection', 'unknown error of a provider', {
      hint: 'pass the whole error, as the provider sent it',
    })
  const { why, repair } = rejectionKinds[rejection.kind]
  const { provider = 'any', source = '' } = rejectionTable.find(({ id }) => id === rejection.id) ?? {}
  const { kind, id } = rejection
  const named = namedIn(rejection)
  if (json) return JSON.stringify({ kind, id, provider, why, repair, named, source })
  return [
    `${kind} (${id}), from ${provider}`,
    `   = why: ${why}`,
    `   = repair: ${repair}`,
    ...(named.length === 0
      ? []
      : [`   = it names: ${plain(named.map(([name, value]) => `${name} ${value}`).join(', '))}`]),
    `   = seen in: ${source}`,
    '   = more: docs/rejections.md',
  ].join('\n')
}

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

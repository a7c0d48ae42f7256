import { AntiphonError } from '../../core/errors.ts'
import { rejectionKinds } from '../../heal/rejections/kinds.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../heal/rejections/table/index.ts'
import { plain } from './plain.ts'

/** Which rejection an error is, why it happens, and what is done about it. Throws in one line if its words are not known. */
export function explainRejection(text: string, json: boolean): string {
  const rejection = readRejection(statusIn(text), text)
  if (!rejection)
    throw new AntiphonError('unknown-rejection', 'these words of a provider are not known', {
      hint: 'give the whole error, as the provider sent it; nothing is done about an error that is not known',
    })
  const { why, repair } = rejectionKinds[rejection.kind]
  const { provider = 'any', source = '' } = rejectionTable.find(({ id }) => id === rejection.id) ?? {}
  const { kind, id } = rejection
  const named = namedIn(rejection)
  if (json) return JSON.stringify({ kind, id, provider, why, repair, named, source })
  return [
    `${kind} (${id}), said by ${provider}`,
    `   = why: ${why}`,
    `   = repair: ${repair}`,
    ...(named.length === 0
      ? []
      : [`   = it names: ${plain(named.map(([name, value]) => `${name} ${value}`).join(', '))}`]),
    `   = seen in: ${source}`,
    '   = more: docs/rejections.md',
  ].join('\n')
}

/** A status that stands in a log line, else that of most rejections. */
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

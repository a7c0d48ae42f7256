import { rejectionKinds } from '../../../heal/rejections/kinds.ts'
import type { RejectionKind } from '../../../heal/rejections/rejection.ts'
import { plain, shorten } from '../plain.ts'
import { placesOfIds } from './places-of-ids.ts'
import { readError } from './rejection-input.ts'
import type { Subject } from './subject.ts'

/** What an error of a provider means, and the places of the request that it names. */
export interface NamedPlaces {
  readonly kind: RejectionKind
  readonly id: string
  readonly text: string
  readonly places: readonly { readonly at: string; readonly value: unknown }[]
}

/** Reads an error that a request was answered with. Throws if the error is not known. */
export function namedPlaces(error: string, { input, plan }: Subject): NamedPlaces {
  const { kind, id, text, paths } = readError(error, input.text)
  const request: unknown = input.lines ? input.history : JSON.parse(input.text)
  const root = Array.isArray(request) ? { messages: request, input: request, contents: request } : request
  const places = [
    ...paths.map(path => ({ at: textOf(path), value: valueAt(root, path) })),
    ...placesOfIds(error, input.history, input.key ?? plan.codec.format.root),
  ]
  return { kind, id, text, places: places.filter(({ at }, index) => places.findIndex(one => one.at === at) === index) }
}

/** The error, what it means, and the value at each place. */
export function renderNamedPlaces({ kind, id, text, places }: NamedPlaces, { input }: Subject): string[] {
  const { why, repair } = rejectionKinds[kind]
  return [
    `rejected[${kind}]: ${shorten(text, 200)} (${id})`,
    ...places.map(({ at, value }) => `  --> ${plain(input.name)}  ${plain(at)}   ${valueText(value)}`),
    ...(places.length === 0 ? [`  --> ${plain(input.name)}   the error names no place`] : []),
    `   = why: ${why}`,
    `   = repair: ${repair}`,
    '',
  ]
}

const valueText = (value: unknown): string =>
  value === undefined ? '(there is nothing in this request)' : shorten(JSON.stringify(value) ?? '', 80)

const textOf = (path: readonly (string | number)[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string | number, unknown>)[step]
  }
  return found
}

import { healRejected, type Rejection, readRejection } from '../../../src/heal/rejections/index.ts'
import { rejectionRepairs } from '../../../src/heal/rejections/repairs/index.ts'
import type { HealOptions } from '../../../src/index.ts'
import { ownCases } from '../../rejections/own-cases.ts'
import { type RejectionCase, requestOf, sharedCases } from '../../rejections/shared-cases.ts'
import { numbers, renamed } from './families.ts'
import type { Trial } from './find-steep.ts'
import { richRequests } from './rich-requests.ts'

type Fields = Record<string, unknown>
type Request = { readonly body: Fields; readonly rejection: Rejection }

/** Every way in which a request of a case can be long, and every way in which its rejection can. */
export function* rejectionTrials(): Generator<Trial> {
  for (const one of [...sharedCases, ...ownCases]) {
    const { id, refusal } = one
    const rejection = readRejection(refusal.status, refusal.body)
    if (rejection?.repair !== undefined || rejection?.history !== undefined) yield* requestTrials(one, rejection)
    for (const [how, make] of Object.entries(longBodies))
      yield {
        name: `readRejection, ${id}: ${how}`,
        prepare(length) {
          const body = make(refusal.body, length)
          return () => readRejection(refusal.status, body)
        },
      }
  }
  yield* repairTrials()
}

/** Every repair on a request that has something of everything, in every format: also where nobody has seen the two together. */
function* repairTrials(): Generator<Trial> {
  const known = new Map(Object.keys(rejectionRepairs).map(repair => [repair, rejectionFor(repair)]))
  for (const { refusal } of [...sharedCases, ...ownCases]) {
    const rejection = readRejection(refusal.status, refusal.body)
    if (rejection?.repair !== undefined) known.set(rejection.repair, rejection)
  }
  for (const [repair, rejection] of known)
    for (const [format, make] of Object.entries(richRequests))
      for (const isPacked of [false, true])
        yield {
          name: `healRejected, ${repair} in ${format}${isPacked ? ', packed' : ''}`,
          prepare(length) {
            const body = make(length, isPacked)
            return () => healRejected(body, rejection, { allow: ['lossless', 'synthetic', 'lossy', 'elevating'] })
          },
        }
}

/** A rejection in no words that are known, for repairs that none of the cases asks for. */
const rejectionFor = (repair: string): Rejection => ({
  ...{ kind: 'parameter', id: 'any', status: 413, text: 'any', repair, paths: [], limit: 10, type: 'function' },
})

function* requestTrials(one: RejectionCase, rejection: Rejection): Generator<Trial> {
  const request = withShortTexts(requestOf(one)) as Fields
  const root = ['messages', 'input', 'contents'].find(key => Array.isArray(request[key]))
  if (root === undefined) return
  const trial = (how: string, make: (length: number) => Request, options: HealOptions = {}): Trial => ({
    name: `healRejected, ${one.id}: ${how}`,
    prepare(length) {
      const { body, rejection } = make(length)
      return () => healRejected(body, rejection, options)
    },
  })
  const all: HealOptions = { allow: ['lossless', 'synthetic', 'lossy', 'elevating'] }
  const many = (length: number): Fields =>
    eachList(request, list => numbers(length).flatMap(at => renamed(list, at, true)))
  yield trial('again and again', length => ({
    body: eachList(request, list => numbers(length).flatMap(() => structuredClone(list))),
    rejection,
  }))
  yield trial('with ids and names of their own', length => ({ body: many(length), rejection }), all)
  yield trial('many parts in each message', length => ({
    body: { ...request, [root]: (request[root] as Fields[]).map(message => withManyParts(message, length)) },
    rejection,
  }))
  yield trial('as many paths', length => {
    const body = many(length)
    const places = (body[root] as unknown[]).flatMap((_, at) => [
      [root, at],
      [root, at, 'content', 0],
    ])
    return { body, rejection: { ...rejection, paths: places } }
  })
}

/** The history, the tools and the system prompt, and what lists stand one level below them. */
function eachList(request: Fields, change: (list: unknown[]) => unknown[]): Fields {
  const changed: Fields = {}
  for (const [key, value] of Object.entries(request)) {
    if (Array.isArray(value)) changed[key] = change(value)
    else if (typeof value === 'object' && value !== null)
      changed[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? change(inner) : inner]),
      )
    else changed[key] = value
  }
  return changed
}

function withManyParts(message: Fields, length: number): Fields {
  const changed: Fields = { ...message }
  for (const [key, value] of Object.entries(message))
    if (Array.isArray(value)) changed[key] = numbers(length).flatMap(at => renamed(value, at, true))
  return changed
}

/** Long texts cost what they are long, and there are many of each request. */
const withShortTexts = (request: unknown): unknown =>
  JSON.parse(JSON.stringify(request, (_, value) => (typeof value === 'string' ? value.slice(0, 1000) : value)))

const asText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const longBodies: Record<string, (body: unknown, length: number) => unknown> = {
  'a list of them': (body, length) => numbers(length).map(() => body),
  'one text after the other': (body, length) =>
    numbers(length)
      .map(() => asText(body))
      .join(' '),
  'one line after the other': (body, length) =>
    numbers(length)
      .map(() => `data: ${asText(body).replaceAll('\n', ' ')}`)
      .join('\n\n'),
  'behind open brackets': (body, length) => `${'[{'.repeat(length)}${asText(body)}`,
  'before closed brackets': (body, length) => `{${asText(body)}${'}]'.repeat(length)}`,
  'behind many quotes': (body, length) => `${'\\"'.repeat(length)}${asText(body)}${"'loc': (".repeat(length)}`,
}

import { describe, expect, test } from 'vitest'
import { healRejected } from '../../src/heal/rejections/heal-rejected.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { type FetchReport, healFetch } from '../../src/integrations/fetch/index.ts'
import { bodyOf, objections, pathOf, type RejectionCase, requestOf, sharedCases } from './shared-cases.ts'

const healable = sharedCases.filter(({ class: kind }) => kind !== 'not-healable')
const others = sharedCases.filter(({ class: kind }) => kind === 'not-healable')

/** A provider that answers the first request as the case says, unless it was repaired before it was sent, and accepts the next. */
async function run(rejected: RejectionCase) {
  const request = requestOf(rejected)
  const text = JSON.stringify(request)
  const bodies: string[] = []
  const reports: FetchReport[] = []
  const send: typeof fetch = async (_, init) => {
    bodies.push(String(init?.body))
    const mayAccept = rejected.class !== 'not-healable'
    if (mayAccept && (bodies.length > 1 || objections(JSON.parse(bodies[0]), rejected).length === 0))
      return new Response('{}', { status: 200 })
    return new Response(bodyOf(rejected), { status: rejected.refusal.status })
  }
  const heal = healFetch({ fetch: send, onRepair: report => reports.push(report), onError: fail })
  const response = await heal(`http://any${pathOf(rejected, request)}`, { method: 'POST', body: text })
  return { response, bodies, reports, text }
}

function fail(error: unknown): never {
  throw error
}

describe('rejections that can be repaired', () => {
  test.each(healable)('[RJ5] $class, $id: one more request, and nothing else is lost', async rejected => {
    const { response, bodies, reports } = await run(rejected)
    expect(response.status).toBe(200)
    expect(bodies.length).toBeLessThanOrEqual(2)
    expect(objections(JSON.parse(bodies.at(-1) ?? ''), rejected)).toEqual([])
    expect(reports.at(-1)?.repairs.length).toBeGreaterThan(0)
    for (const { class: kind, message } of reports.flatMap(({ repairs }) => repairs)) {
      expect(['lossless', 'synthetic', 'lossy']).toContain(kind)
      expect(message).not.toBe('')
    }
  })
})

describe('rejections that cannot be repaired', () => {
  test.each(others)('[RJ6] $id: one request, byte for byte, and the answer unchanged', async rejected => {
    const { response, bodies, text } = await run(rejected)
    expect(bodies).toEqual([text])
    expect(response.status).toBe(rejected.refusal.status)
    expect(await response.text()).toBe(bodyOf(rejected))
  })
})

test('[RJ7] no repair is made that the caller does not allow', () => {
  for (const rejected of healable) {
    const request = requestOf(rejected)
    const rejection = readRejection(rejected.refusal.status, rejected.refusal.body)
    if (!rejection) throw new Error(rejected.id)
    const before = JSON.stringify(request)
    const format = rejected.format as 'anthropic'
    const { body, changed } = healRejected(request, rejection, { format, allow: [] })
    expect([rejected.id, changed, body === request]).toEqual([rejected.id, false, true])
    for (const kind of ['lossless', 'synthetic', 'lossy'] as const) {
      const { repairs } = healRejected(request, rejection, { format, allow: [kind] })
      expect(
        repairs.filter(repair => repair.class !== kind),
        rejected.id,
      ).toEqual([])
    }
    expect(JSON.stringify(request) === before, rejected.id).toBe(true)
  }
})

test('[RJ8] the same request and rejection give the same bytes, and repairing what was repaired changes nothing more', () => {
  for (const rejected of healable) {
    const rejection = readRejection(rejected.refusal.status, rejected.refusal.body)
    if (!rejection) throw new Error(rejected.id)
    const format = rejected.format as 'anthropic'
    const [one, other] = [
      healRejected(requestOf(rejected), rejection, { format }),
      healRejected(requestOf(rejected), rejection, { format }),
    ]
    expect(JSON.stringify(one.body) === JSON.stringify(other.body), rejected.id).toBe(true)
  }
})

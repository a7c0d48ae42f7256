import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { chatPath, post } from '../integrations/fetch/requests.ts'
import { metric, serve, upstream } from '../integrations/proxy/serving.ts'

/** An upstream that answers with the number of bytes it got, and keeps them. */
async function counting() {
  const bodies: Buffer[] = []
  const place = await upstream(async (request, response) => {
    const body = await buffer(request)
    bodies.push(body)
    response.end(String(body.length))
  })
  return { ...place, bodies }
}

const long = Buffer.from(
  `{"model":"gpt-5","messages":[{"role":"tool","tool_call_id":"a","content":"${'é'.repeat(3_000_000)}"}]}`,
)

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
}

const streamed: RequestInit = { body: ReadableStream.from(inPieces(long)), duplex: 'half' } as RequestInit

describe('a dry run of a body above the limit', () => {
  test.each<[string, RequestInit]>([
    ['with a length', {}],
    ['without a length', streamed],
  ])('[SE310] is forwarded byte for byte, and counted: %s', async (_, more) => {
    const mine = await counting()
    const { url, errors, proxyErrors } = await serve({ to: mine.url, dryRun: true, maxBytes: 2 ** 20 })
    const response = await fetch(url + chatPath, post(long, more))
    expect([response.status, await response.text()]).toEqual([200, String(long.length)])
    expect(mine.bodies.map(body => body.equals(long))).toEqual([true])
    expect(proxyErrors).toEqual([])
    expect(errors).toMatchObject([{ code: 'repair-limit', message: 'request body exceeds 1048576 bytes' }])
    expect(await metric(url, 'unhealed_total{reason="limit"}')).toBe(1)
  })
})

test('[SE311] the report of a long request counts every repair, and says how many it does not list', async () => {
  const mine = await counting()
  const { url, reports } = await serve({ to: mine.url })
  const orphans = Array.from({ length: 3_000 }, (_, index) => ({
    role: 'tool',
    tool_call_id: `c${index}`,
    content: 'x',
  }))
  const call = { id: 'open', type: 'function', function: { name: 'f', arguments: '{}' } }
  const messages = [
    ...orphans,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'user', content: 'Hi' },
  ]
  const { headers } = await fetch(url + chatPath, post(JSON.stringify({ model: 'gpt-5', messages })))
  const rules = { 'orphan-result': 3_000, 'unanswered-call': 1 }
  expect(headers.get('x-antiphon-repairs')).toBe('orphan-result=3000, unanswered-call=1')
  expect(reports).toMatchObject([{ rules, unlisted: 2_001 }])
  expect(reports[0]?.repairs).toHaveLength(1_000)
  expect(await metric(url, 'repairs_total{rule="orphan-result",applied="true"}')).toBe(3_000)
})

test('[SE311] what a long request loses is listed before all else', async () => {
  const mine = await counting()
  const { url, reports } = await serve({ to: mine.url, orphans: 'drop', repeats: 'drop' })
  const calls = Array.from({ length: 3_000 }, (_, index) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } }],
  }))
  const lost = { role: 'tool', tool_call_id: 'lost', content: 'the lost words' }
  const messages = [{ role: 'user', content: 'Hi' }, ...calls, { role: 'user', content: 'Go on' }, lost]
  await fetch(url + chatPath, post(JSON.stringify({ model: 'gpt-5', messages })))
  expect(reports[0]?.rules).toMatchObject({ 'unanswered-call': 3_000, 'orphan-result': 1 })
  expect(reports[0]?.repairs.filter(({ class: kind }) => kind === 'lossy')).toHaveLength(1)
})

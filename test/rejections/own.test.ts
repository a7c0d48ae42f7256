import { describe, expect, test } from 'vitest'
import { healRejected } from '../../src/heal/rejections/heal-rejected.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { pairs } from './judge.mjs'
import { ownCases } from './own-cases.ts'
import { bodyOf, objections, pathOf, requestOf, sharedCases } from './shared-cases.ts'

describe('rows of the table that no case from the field covers', () => {
  test.each(ownCases)('[RJ12] $class, $id', rejected => {
    const rejection = readRejection(rejected.refusal.status, rejected.refusal.body)
    if (!rejection) throw new Error('it is not read')
    const request = requestOf(rejected)
    expect(objections(request, { ...rejected, keep: [] })).not.toEqual([])
    const { body } = healRejected(request, rejection, { format: rejected.format as 'anthropic' })
    expect(objections(body, rejected)).toEqual([])
  })

  test('[RJ12] a request that only refers to a lost response is passed on: the conversation is gone', () => {
    const rejection = readRejection(400, { error: { message: "Previous response with id 'resp_gone' not found." } })
    if (!rejection) throw new Error('it is not read')
    for (const input of [
      [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
      [{ role: 'user', content: 'and now?' }],
    ]) {
      const request = { model: 'gpt-5.2', previous_response_id: 'resp_gone', input }
      expect(healRejected(request, rejection, { format: 'openai-responses' }).body).toBe(request)
    }
  })

  test('[RJ12] a text that says nothing is acted on only where the request shows a known fault', () => {
    const quiet = [
      'Request contains an invalid argument.',
      'Invalid request Error',
      'Param Incorrect',
      'We could not parse the JSON body of your request.',
    ]
    for (const message of quiet) {
      const rejection = readRejection(400, { error: { message } })
      if (!rejection) throw new Error(message)
      const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
      const chat = { model: 'x', messages: [{ role: 'user', content: 'hi' }] }
      expect(healRejected(contents, rejection, { format: 'gemini' }).body).toBe(contents)
      expect(healRejected(chat, rejection, { format: 'openai-chat' }).body).toBe(chat)
    }
  })
})

test('[RJ13] whatever a provider answers to whatever request: never a third request, never the same twice, and pairs stay', async () => {
  const small = sharedCases.filter(({ request }) => JSON.stringify(request).length < 20_000)
  let retried = 0
  for (const [index, asked] of small.entries()) {
    for (const step of [1, 7, 23]) {
      const answered = sharedCases[(index * step + step) % sharedCases.length]
      const bodies: string[] = []
      const send: typeof fetch = async (_, init) => {
        bodies.push(String(init?.body))
        return new Response(bodyOf(answered), { status: answered.refusal.status })
      }
      const request = requestOf(asked)
      if (JSON.stringify(request).length > 500_000) continue
      const heal = healFetch({ fetch: send, onRepair() {}, onError: fail })
      const response = await heal(`http://any${pathOf(asked, request)}`, {
        method: 'POST',
        body: JSON.stringify(request),
      })
      expect(response.status).toBe(answered.refusal.status)
      expect(bodies.length).toBeLessThanOrEqual(answered.class === 'not-healable' ? 1 : 2)
      expect(bodies[0] === bodies[1]).toBe(false)
      if (bodies.length === 2) retried++
      if (pairs(request).ok)
        for (const body of bodies)
          expect(pairs(JSON.parse(body)).ok, `${asked.id} answered as ${answered.id}`).toBe(true)
    }
  }
  expect(retried).toBeGreaterThan(20)
})

function fail(error: unknown): never {
  throw error
}

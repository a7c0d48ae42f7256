import nodeFetch from 'node-fetch'
import { expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { chatPath, post } from '../integrations/fetch/requests.ts'
import { upstream } from '../integrations/proxy/serving.ts'

const fetch = nodeFetch as unknown as typeof globalThis.fetch
const json = 'application/json'

const long = 'a long answer '.repeat(200_000)
const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'z'.repeat(1000) } }] })}\n\n`
const answers = [
  ['a long answer', 200, json, JSON.stringify({ choices: [], text: long })],
  ['a long stream', 200, 'text/event-stream', event.repeat(2000)],
  ['a long error', 400, json, JSON.stringify({ error: { message: long } })],
] as const

test.each(answers)(
  '[SE430] %s to node-fetch can be read to its end',
  { timeout: 20_000 },
  async (_, status, type, text) => {
    const { url } = await upstream((_, response) => response.writeHead(status, { 'content-type': type }).end(text))
    const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'hello' }] })
    const response = await healFetch({ fetch })(`${url}${chatPath}`, post(body))
    expect(await response.text()).toBe(text)
  },
)

test('[SE430] a request by node-fetch that is rejected is repaired and retried once, and tools get their names back', async () => {
  const sent: { tools: { function: { name: string } }[] }[] = []
  const { url } = await upstream(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString())
    sent.push(asked)
    response.setHeader('content-type', json)
    if (sent.length === 1)
      response.writeHead(400).end(
        JSON.stringify({
          error: {
            message:
              "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            type: 'invalid_request_error',
            param: 'tools[0].function.name',
            code: 'invalid_value',
          },
        }),
      )
    else {
      const { name } = asked.tools[0].function
      const message = {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '' } }],
      }
      response.end(JSON.stringify({ choices: [{ message }] }))
    }
  })
  const body = {
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'hello' }],
    tools: [{ type: 'function', function: { name: 'look.up', parameters: { type: 'object', properties: {} } } }],
  }
  const response = await healFetch({ fetch, onRepair: () => {} })(`${url}${chatPath}`, post(JSON.stringify(body)))
  const answer = (await response.json()) as { choices: [{ message: { tool_calls: [{ function: { name: string } }] } }] }
  expect(sent).toHaveLength(2)
  expect(sent[1]?.tools[0]?.function.name).toMatch(/^[\w-]+$/)
  expect(answer.choices[0].message.tool_calls[0].function.name).toBe('look.up')
})

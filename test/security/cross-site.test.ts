import { expect, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../src/journal/index.ts'
import { all } from '../doctor/contract.ts'

const url = 'https://shop.example/api/chat'
const text = 'buy it'

/** A handler, a body that it accepts, and whether a request wrote anything. */
const handlers = {
  async chatHandler(headers: Record<string, string>) {
    const journal = await openJournal('memory:')
    const handle = chatHandler(journal, { model: () => new Promise(() => {}), onError: () => {} })
    const body = JSON.stringify({ id: 't', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }] })
    const response = await handle(new Request(url, { method: 'POST', headers, body }))
    return { journal, response }
  },
  async agUiHandler(headers: Record<string, string>) {
    const journal = await openJournal('memory:')
    const handle = agUiHandler(journal, { model: () => new Promise(() => {}), onError: () => {} })
    const messages = [{ id: 'm', role: 'user', content: text }]
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages, tools: [], context: [] })
    const response = await handle(new Request(url, { method: 'POST', headers, body }))
    return { journal, response }
  },
}

const json = { 'content-type': 'application/json' }
const accepted: Record<string, Record<string, string>> = {
  'a page of the same origin': { ...json, 'sec-fetch-site': 'same-origin', origin: 'https://shop.example' },
  'a page of the same origin that sends text': { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' },
  'a page that the server allows with CORS': { ...json, 'sec-fetch-site': 'cross-site', origin: 'https://app.example' },
  'a program': { 'content-type': 'text/plain' },
  'an old browser, on a page of the same origin': { 'content-type': 'text/plain', origin: 'https://shop.example' },
}
const refused: Record<string, Record<string, string>> = {
  text: { 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a form': { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
  'a form with a boundary': { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-site' },
  'a type in capitals': { 'content-type': 'Text/Plain; x=application/json', 'sec-fetch-site': 'cross-site' },
  'text of an old browser': { 'content-type': 'text/plain', origin: 'https://evil.example' },
  'text of a page without an origin': { 'content-type': 'text/plain', origin: 'null' },
}

for (const [name, send] of Object.entries(handlers)) {
  test.each(Object.entries(refused))(
    `[SE144] ${name} refuses %s of a page of another site, and writes nothing`,
    async (_, headers) => {
      const { journal, response } = await send(headers)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(JSON.stringify(await response.json())).toContain('another site')
      expect(await all(journal.threads())).toEqual([])
    },
  )

  test.each(Object.entries(accepted))(`[SE144] ${name} accepts %s`, async (_, headers) => {
    const { response } = await send(headers)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
}

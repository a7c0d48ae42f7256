import { expect, test } from 'vitest'
import { startRecorder } from '../integrations/fetch/recorder.ts'
import { metric, serve, talk } from '../integrations/proxy/serving.ts'

const upgrade = 'GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'

test.each([
  ['a request without a host', 'GET /v1/models HTTP/1.1\r\n\r\n', 400],
  ['an expectation that nobody knows', 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\nexpect: tea\r\n\r\n', 417],
])(
  '[SE500] a WebSocket requested behind %s, which Node answers itself, does not end the proxy',
  async (_, first, status) => {
    await using mine = await startRecorder()
    const { url, port, proxyErrors } = await serve({ to: mine.url })
    expect(await talk(port, first + upgrade)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(proxyErrors.map(({ message }) => message)).toEqual([
      'a WebSocket was requested before earlier requests on its connection were answered',
    ])
    expect(mine.requests).toEqual([])
    expect((await fetch(`${url}/v1/models`)).status).toBe(200)
    expect(await metric(url, 'in_flight')).toBe(0)
  },
)

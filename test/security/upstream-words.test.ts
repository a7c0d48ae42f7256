import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { brokenBody, chatPath, healthyBody, post } from '../integrations/fetch/requests.ts'
import { metric, serve, tcpUpstream, upstream } from '../integrations/proxy/serving.ts'

describe('what only the proxy may say', () => {
  const forged = {
    'x-antiphon-repairs': 'everything=9',
    'X-Antiphon-Retry': 'forged',
    'x-antiphon-dry-run': 'true',
    'x-antiphon-new': '1',
    'x-antiphone': 'kept',
  }

  test.each([
    ['healed', brokenBody, 'unanswered-call=1'],
    ['healthy', healthyBody, null],
  ])('[SE42] an upstream cannot say what the proxy did: %s', async (_, body, repairs) => {
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.writeHead(200, forged).end('{}')
    })
    const { url } = await serve({ to })
    const { headers } = await fetch(url + chatPath, post(body))
    expect(headers.get('x-antiphon-repairs')).toBe(repairs)
    for (const name of ['retry', 'dry-run', 'new']) expect(headers.get(`x-antiphon-${name}`)).toBeNull()
    expect(headers.get('x-antiphone')).toBe('kept')
  })
})

describe('informational answers', () => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const hundred = 'HTTP/1.1 100 Continue\r\n\r\n'
  const early: [string, string[]][] = [
    ['a 100', [hundred, answer]],
    ['a 100 in one piece with its answer', [hundred + answer]],
    ['several of them', [hundred + hundred, hundred + answer]],
    ['a 100 with headers', [`HTTP/1.1 100 Continue\r\nx: HTTP/1.1 100\r\ny: 1\r\n\r\n${answer}`]],
    ['a 100 without a reason', [`HTTP/1.1 100\r\n\r\n${answer}`]],
    ['a 100 in pieces', [...`${hundred}${hundred}${answer}`]],
    ['a 102', ['HTTP/1.1 102 Processing\r\n\r\n', answer]],
    ['a 103', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', answer]],
    ['a 103 between two 100', [`${hundred}HTTP/1.1 103 Early Hints\r\n\r\n${hundred}`, answer]],
  ]

  test.each(early)('[SE43] an upstream may begin with %s', async (_, pieces) => {
    const { url: to, sockets } = await tcpUpstream(socket => {
      socket.setNoDelay(true)
      socket.on('data', async bytes => {
        if (!/HTTP\/1\.1\r\n/.test(bytes.toString())) return
        for (const piece of pieces) {
          socket.write(piece)
          if (pieces.length > 1) await wait(1)
        }
      })
    })
    const { url } = await serve({ to })
    for (let round = 0; round < 3; round++)
      for (const init of [{}, post(healthyBody), post(brokenBody)]) {
        const response = await fetch(url + chatPath, init)
        expect([response.status, await response.text()]).toEqual([200, 'ok'])
      }
    expect(sockets.size).toBe(1)
    expect(await metric(url, 'in_flight')).toBe(0)
  })

  test('[SE43] an answer whose body begins like one is not changed', async () => {
    const body = hundred.repeat(3)
    const { url: to } = await tcpUpstream(socket =>
      socket.once('data', async () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 2}\r\n\r\n`)
        await wait(50)
        socket.write(body)
        await wait(50)
        socket.write('ok')
      }),
    )
    const { url } = await serve({ to })
    expect(await (await fetch(`${url}/v1/models`)).text()).toBe(`${body}ok`)
  })

  test('[SE43] a switch of protocols that nobody asked for is 502', async () => {
    const { url: to } = await tcpUpstream(socket =>
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')),
    )
    const { url } = await serve({ to })
    expect((await fetch(`${url}/v1/models`)).status).toBe(502)
  })
})

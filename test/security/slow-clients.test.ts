import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressKey } from '../../src/integrations/proxy/connections.ts'
import { startRecorder } from '../integrations/fetch/recorder.ts'
import { brokenBody, chatPath } from '../integrations/fetch/requests.ts'
import { metric, serve, upstream } from '../integrations/proxy/serving.ts'

/** A client that never hangs up by itself. */
async function stubborn(port: number, bytes: string | Buffer, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    heard += chunk
  })
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, heard: () => heard }
}

/** Waits until the other side has let go of a connection: what is sent there then is answered with a reset. */
async function letGo(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('x')
    await wait(20)
  }
}

const head = `POST ${chatPath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\n`

describe('a client cannot keep a connection by being slow', () => {
  const slow: [string, string | Buffer, RegExp][] = [
    ['sends half a body', head + brokenBody, /^HTTP\/1\.1 408 /],
    ['sends half a head', `POST ${chatPath} HTTP/1.1\r\nhost: lo`, /^HTTP\/1\.1 408 /],
    ['sends no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['sends headers that are too long', `GET / HTTP/1.1\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    ['wants to be connected elsewhere', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'is turned away and sends half a body',
      `POST ${chatPath} HTTP/1.1\r\nhost: evil.com\r\ncontent-length: 9999\r\n\r\n`,
      /^HTTP\/1\.1 421 /,
    ],
  ]

  test.each(slow)('[SE40] [SE63] one that %s is answered, counted and let go', async (_, bytes, answer) => {
    await using mine = await startRecorder()
    const { port, url } = await serve({ to: mine.url, requestMs: 300 })
    const { socket, heard } = await stubborn(port, bytes)
    await expect.poll(heard, { timeout: 20_000 }).toMatch(answer)
    await letGo(socket)
    expect(mine.requests).toEqual([])
    expect(await metric(url, 'errors_total')).toBe(1)
  })

  test('[SE40] one that sends nothing is let go without an answer, which its first request would be given', async () => {
    await using mine = await startRecorder()
    const { port, url } = await serve({ to: mine.url, requestMs: 300 })
    const { socket, heard } = await stubborn(port, '')
    await once(socket, 'end')
    await letGo(socket)
    expect(heard()).toBe('')
    expect(await metric(url, 'errors_total')).toBe(0)
  })

  test('[SE40] one that does not read its answer is let go, and its request to the provider ends', async () => {
    let ended = false
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.on('close', () => {
        ended = true
      })
      const fill = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024))) {}
      }
      response.on('drain', fill)
      fill()
    })
    const { url, port } = await serve({ to, requestMs: 300 })
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {}).pause()
    socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => ended, { timeout: 20_000 }).toBe(true)
    await expect.poll(() => metric(url, 'in_flight')).toBe(0)
  })

  test('[SE40] one that waits for a silent provider is not slow', async () => {
    const { url: to } = await upstream((request, response) => {
      request.resume()
      setTimeout(() => response.end('late'), 1_500)
    })
    const { url } = await serve({ to, requestMs: 300 })
    expect(await (await fetch(`${url}/v1/models`)).text()).toBe('late')
  })

  test('[SE40] a proxy that is told to stop does not wait for it', async () => {
    await using mine = await startRecorder()
    const { port, proxy } = await serve({ to: mine.url })
    const { heard } = await stubborn(port, 'hello\r\n\r\n')
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 400 /)
    await proxy.close()
  })
})

describe('connections are bounded', () => {
  const get = 'GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n'

  test('[SE41] in all: one more is 503 and closed, and there is room again when one goes', async () => {
    await using mine = await startRecorder()
    const { port, proxyErrors } = await serve({ to: mine.url, maxConnections: 3 })
    const open = [await stubborn(port, get), await stubborn(port, get), await stubborn(port, '')]
    await expect.poll(() => open[1].heard()).toMatch(/^HTTP\/1\.1 200 /)
    const more = await stubborn(port, '')
    await expect.poll(more.heard).toMatch(/^HTTP\/1\.1 503 .*"code":"too-many".*--max-connections/s)
    await letGo(more.socket)
    expect(proxyErrors).toMatchObject([{ kind: 'too-many', status: 503 }])
    open[0].socket.destroy()
    await expect
      .poll(async () => {
        const again = await stubborn(port, get)
        await expect.poll(again.heard).toMatch(/^HTTP/)
        return again.heard()
      })
      .toMatch(/^HTTP\/1\.1 200 /)
    open[1].socket.write(get)
    await expect.poll(() => open[1].heard().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  test('[SE41] by address: others are still served', async () => {
    await using mine = await startRecorder()
    const { port } = await serve({ to: mine.url, maxConnectionsPerAddress: 2 })
    for (let count = 0; count < 2; count++) await stubborn(port, '')
    const more = await stubborn(port, '')
    await expect.poll(more.heard).toMatch(/^HTTP\/1\.1 503 /)
    const other = await stubborn(port, get, '127.0.0.2')
    await expect.poll(other.heard).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('[SE41] one connection cannot start any number of requests: one more is 503, and a flood is cut off', async () => {
    let [now, most] = [0, 0]
    const { url: to } = await upstream((request, response) => {
      request.resume()
      most = Math.max(most, ++now)
      response.on('close', () => now--)
      setTimeout(() => response.end('{}'), 300)
    })
    const { url, port } = await serve({ to })
    const some = await stubborn(port, get.repeat(20))
    await expect
      .poll(() => some.heard().match(/HTTP\/1\.1 \d+/g))
      .toEqual([...Array(16).fill('HTTP/1.1 200'), 'HTTP/1.1 503'])
    const flood = await stubborn(port, get.repeat(2_000))
    await expect.poll(() => flood.socket.destroyed).toBe(true)
    await expect.poll(() => metric(url, 'in_flight')).toBe(0)
    expect(most).toBeLessThanOrEqual(16)
  })

  test.each([0, -1, 1.5, Number.NaN])('[SE41] %d is not a limit', async number => {
    await expect(serve({ to: 'http://127.0.0.1:1', maxConnections: number })).rejects.toThrow(
      /maxConnections must be a positive integer/,
    )
  })

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::5:6', '2001:db8:0:0'],
    ['fe80::1', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
  ])('[SE41] %s counts as %s', (address, client) => {
    expect(addressKey(address)).toBe(client)
  })
})

test('[SE107] a CONNECT after requests that wait for their answer closes the connection, and nothing of them is left', async () => {
  const { url: to } = await upstream(request => void request.resume())
  const { port, url } = await serve({ to })
  const post = `POST ${chatPath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${brokenBody.length}\r\n\r\n${brokenBody}`
  const { socket, heard } = await stubborn(port, post + post)
  await expect.poll(() => metric(url, 'in_flight')).toBe(2)
  socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n')
  await letGo(socket)
  expect(heard()).toBe('')
  await expect.poll(() => metric(url, 'in_flight')).toBe(0)
  expect(await metric(url, 'requests_total', { status: 'cut' })).toBe(2)
})

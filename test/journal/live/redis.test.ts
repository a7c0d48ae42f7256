import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/index.ts'
import { redisTransport } from '../../../src/journal/live/transports/redis.ts'
import { checkTransport } from './contract.ts'
import { Gate } from './gate.ts'
import { Peer } from './peer.ts'
import { type RedisServer, redisUrl, startRedis } from './redis-server.ts'

let server: RedisServer

beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

checkTransport('by channels of Redis', async () => {
  const gate = await new Gate(server.port).open()
  return {
    open: async () => redisTransport(redisUrl(gate.port)),
    cut: () => gate.cut(),
    down: () => gate.close(),
    up: async () => void (await gate.open()),
    close: () => gate.close(),
  }
})

describe('channels of Redis', () => {
  test('[LV6] come back after the server was killed', async () => {
    const [writer, reader] = [await connect(), await connect()]
    await reader.transport.subscribe('a')
    await server.kill()
    await expect.poll(() => [writer.counts.lost, reader.counts.lost]).toEqual([1, 1])
    await server.start()
    await expect
      .poll(() => {
        writer.transport.publish('a', 'back')
        return reader.texts('a').length
      })
      .toBeGreaterThan(0)
    for (const { transport } of [writer, reader]) await transport.close()
  })

  test('[LV3] journals with other databases hear nothing', async () => {
    const [writer, reader, stranger] = [await connect(), await connect(), await connect(1)]
    await Promise.all([reader.transport.subscribe('due'), stranger.transport.subscribe('due')])
    writer.transport.publish('due', 'x')
    await expect.poll(() => reader.texts('due')).toEqual(['x'])
    expect(stranger.received).toEqual([])
    for (const { transport } of [writer, reader, stranger]) await transport.close()
  })

  test('[LV6] a wrong password is said, and not repeated', async () => {
    const peer = new Peer(await redisTransport(redisUrl(server.port, 0, 'secret')))
    await expect.poll(() => peer.counts).toEqual({ connected: 0, lost: 1 })
    expect(String(peer.lastError)).toMatch(/WRONGPASS/)
    expect(`${peer.lastError} ${peer.transport.name}`).not.toContain('secret')
    await peer.transport.close()
  })

  test('openJournal(..., { live: "redis://..." })', async () => {
    const journal = await openJournal('memory:', { live: redisUrl(server.port) })
    await journal.thread('t').submit('Hello')
    await journal.close()
    await expect(openJournal('memory:', { live: 'redis://user:secret@:x' })).rejects.toMatchObject({
      code: 'wrong-option',
      message: 'the address of Redis cannot be parsed',
    })
    await expect(openJournal('memory:', { live: 'amqp://user:secret@host' })).rejects.toMatchObject({
      code: 'wrong-option',
      message: 'unknown address of a live transport (not shown: it may contain a password)',
    })
  })
})

const connect = async (database = 0): Promise<Peer> =>
  Peer.connected(await redisTransport(redisUrl(server.port, database)))

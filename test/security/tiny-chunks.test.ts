import { type IncomingMessage, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ChunkList } from '../../src/integrations/proxy/chunk-list.ts'
import { receiveBody } from '../../src/integrations/proxy/receive-body.ts'
import { chatPath } from '../integrations/fetch/requests.ts'
import { serve, upstream } from '../integrations/proxy/serving.ts'

/** A body that needs no repair, in chunks of one byte. */
const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(20_000) }] }))
const bytes = (): Buffer[] => Array.from(body, byte => Buffer.of(byte))

test('[SE152] the chunks of a body are joined if they are short: memory depends on its length, not on their number', async () => {
  const chunks = await new Promise<Buffer[]>(resolve =>
    receiveBody(
      Readable.from(bytes()) as IncomingMessage,
      body.length,
      () => {},
      chunks => resolve(chunks as Buffer[]),
    ),
  )
  expect(Buffer.concat(chunks).equals(body)).toBe(true)
  expect(chunks.length).toBeLessThan(1100)
})

test('[SE152] long chunks are kept as they came, also between short ones', () => {
  const list = new ChunkList()
  const long = Array.from({ length: 3000 }, () => Buffer.alloc(8192, 'l'))
  for (const chunk of long) list.push(chunk)
  expect(list.chunks.every((chunk, index) => chunk === long[index])).toBe(true)
  const mixed = new ChunkList()
  const pieces = [...bytes().slice(0, 3000), ...long.slice(0, 2000), ...bytes().slice(0, 1500)]
  for (const chunk of pieces) mixed.push(chunk)
  expect(Buffer.concat(mixed.chunks).equals(Buffer.concat(pieces))).toBe(true)
})

test('[SE152] a request in chunks of one byte reaches its provider whole', async () => {
  const received: Buffer[] = []
  const mine = await upstream((request, response) => {
    request.on('data', chunk => received.push(chunk)).on('end', () => response.end('{}'))
  })
  const { url } = await serve({ to: mine.url })
  const status = await new Promise(resolve => {
    const sent = send(url + chatPath, { method: 'POST', headers: { 'content-type': 'application/json' } }, response => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    for (const byte of bytes()) sent.write(byte)
    sent.end()
  })
  expect(status).toBe(200)
  expect(Buffer.concat(received).equals(body)).toBe(true)
})

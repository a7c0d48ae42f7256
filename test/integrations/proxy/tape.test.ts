import { once } from 'node:events'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { failures as demo } from '../../../src/apps/demo-failures.ts'
import { createTape, readTape, type TapeEntry } from '../../../src/observe/tape/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { brokenBody, chatPath, healthyBody, post } from '../fetch/requests.ts'
import { serve, tcpUpstream, upstream } from './serving.ts'

function recording(redact = true) {
  const lines: string[] = []
  const tape = createTape({ write: line => lines.push(line), redact })
  return { tape, lines, entries: (): readonly TapeEntry[] => readTape(lines.join('')).entries }
}

test('[PX25] every request with a history is on the tape, as the program made it, with its repairs and its outcome', async () => {
  await using strict = await startStrict()
  const { tape, entries } = recording()
  const { url } = await serve({ to: strict.url, tape })
  for (const { for: reader, request, history } of demo)
    for (const stream of [false, true]) {
      const body = JSON.stringify({ ...request.body, stream, messages: history })
      await (await fetch(`${url}/${reader}${request.path}`, post(body))).text()
    }
  await (await fetch(url + chatPath, post(healthyBody))).text()
  await (await fetch(`${url}/v1/models`)).text()
  const kinds = Array.from({ length: demo.length * 2 }, () => ['request', 'repair', 'response']).flat()
  expect(entries().map(({ kind }) => kind)).toEqual([...kinds, 'request', 'response'])
  const answers = entries().filter(entry => entry.kind === 'response')
  expect(answers.map(({ status }) => status)).toEqual(Array(demo.length * 2 + 1).fill(200))
  expect(answers.filter(({ reply }) => reply !== undefined).length).toBe(demo.length)
})

const packings = { gzip: gzipSync, br: brotliCompressSync, none: (text: string) => Buffer.from(text) }

test.each(Object.entries(packings))('[PX25] an encoded answer is understood (%s)', async (name, pack) => {
  const { tape, entries } = recording(false)
  const answer = { choices: [{ message: { role: 'assistant', content: 'Booked.' } }] }
  const { url: to } = await upstream((request, response) => {
    request.resume()
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(name !== 'none' && { 'content-encoding': name }),
    })
    response.end(pack(JSON.stringify(answer)))
  })
  const { url } = await serve({ to, tape })
  expect(await (await fetch(url + chatPath, post(brokenBody))).json()).toEqual(answer)
  await expect.poll(() => entries().at(-1)).toMatchObject({ kind: 'response', status: 200, body: answer })
})

test('[PX25] a missing answer, or part of one, is on the tape', async () => {
  const { tape, entries } = recording()
  const { url: to } = await tcpUpstream(socket => socket.once('data', () => socket.destroy()))
  const { url } = await serve({ to, tape })
  expect((await fetch(url + chatPath, post(brokenBody))).status).toBe(502)
  expect(entries().at(-1)).toMatchObject({ kind: 'response', refusal: expect.any(String) })

  const { url: half } = await upstream(async (request, response) => {
    request.resume()
    await once(request, 'end')
    response.write('{"choices":', () => response.destroy())
  })
  const other = await serve({ to: half, tape })
  await (await fetch(other.url + chatPath, post(brokenBody))).text().catch(() => '')
  await expect.poll(() => entries().at(-1)).toMatchObject({ kind: 'response', status: 200 })
  expect(entries().at(-1)).not.toHaveProperty('body')
})

test('[PX25] a dry run is recorded without a repair', async () => {
  await using strict = await startStrict()
  const { tape, entries } = recording()
  const { url } = await serve({ to: strict.url, tape, dryRun: true })
  await (await fetch(url + chatPath, post(brokenBody))).text()
  expect(entries().map(({ kind }) => kind)).toEqual(['request', 'response'])
})

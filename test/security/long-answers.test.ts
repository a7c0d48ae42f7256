import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CodecId } from '../../src/codecs/index.ts'
import { responseListener } from '../../src/integrations/fetch/record-response.ts'
import { createTape, readTape } from '../../src/observe/tape/index.ts'
import { chatPath, healthyBody, post } from '../integrations/fetch/requests.ts'
import { upstream } from '../integrations/proxy/serving.ts'
import { programFile } from '../programs.ts'
import { peakBytes } from './hostile-bodies.ts'

const MB = 2 ** 20
const list = (bytes: number, unit = '{}'): string => `[${`${unit},`.repeat(bytes / (unit.length + 1))}${unit}]`
const delta = (content: string): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`
const stop = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`

test.runIf(process.platform === 'linux')(
  '[SE82] a few compressed bytes of one endless event cost a recording proxy no more than a few times what it reads of them',
  async () => {
    const event = `data: ${list(24 * MB)}\n\n${delta('hello')}${stop}data: [DONE]\n\n`
    const answer = gzipSync(event)
    expect(answer.length).toBeLessThan(100_000)
    const mine = await upstream((request, response) =>
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(answer)
      }),
    )
    const folder = mkdtempSync(join(tmpdir(), 'antiphon-'))
    const file = join(folder, 'answers.tape')
    const proxy = spawn(process.execPath, [programFile('proxy-process'), mine.url], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ANTIPHON_TAPE: file },
    })
    onTestFinished(() => {
      proxy.kill()
      rmSync(folder, { recursive: true })
    })
    const url = await new Promise<string>(resolve => proxy.once('message', resolve))
    const before = peakBytes(proxy.pid)
    const response = await fetch(url + chatPath, post(healthyBody))
    expect((await response.text()).length).toBe(event.length)
    const last = () => (existsSync(file) ? readTape(readFileSync(file, 'utf8')).entries.at(-1) : undefined)
    await expect.poll(() => last()?.kind, { timeout: 60_000 }).toBe('response')
    expect(last()).toMatchObject({ lost: '1 of its events are too long', reply: { finish: 'stop' } })
    expect((peakBytes(proxy.pid) - before) / event.length).toBeLessThan(8)
  },
  120_000,
)

describe('what a tape says of an answer that is too much to parse', () => {
  /** The response on a tape, if it came in pieces. */
  function taped(text: string, type = 'text/event-stream', format: CodecId = 'openai-chat'): unknown {
    const lines: string[] = []
    const tape = createTape({ write: line => lines.push(line), redact: false })
    const listener = responseListener(tape, 'r', { status: 200, type }, format)
    for (let at = 0; at < text.length; at += 65_536) listener.chunk(Buffer.from(text.slice(at, at + 65_536)))
    listener.end('whole')
    return readTape(lines.join('')).entries[0]
  }
  const said = { reply: { messages: [{ content: 'hello' }], finish: 'stop' } }
  const skipped = { ...said, lost: '1 of its events are too long' }

  test.each([
    ['one long line', `data: ${list(5 * MB, '"x"')}\n\n`],
    ['many lines', `${`data: ${'x'.repeat(1000)}\n`.repeat(5000)}\n`],
    ['a short list of very many values', `data: ${list(MB)}\n\n`],
    ['very many lists', `data: ${list(MB, '[[]]')}\n\n`],
  ])('[SE82] an event that is %s is left out, and the others are there', (_, event) => {
    expect(taped(`${event}${delta('hello')}${stop}`)).toMatchObject(skipped)
    expect(taped(`${delta('hel')}${event}${delta('lo')}${stop}`)).toMatchObject(skipped)
    expect(taped(`${delta('hello')}${stop}${event.trimEnd()}`)).toMatchObject(skipped)
  })

  test('[SE82] a long text in one event is there', () => {
    const content = 'word '.repeat(700_000)
    expect(taped(`${delta(content)}${stop}`)).toMatchObject({ reply: { messages: [{ content }], finish: 'stop' } })
    expect(taped(`${delta(content)}${stop}`)).not.toHaveProperty('lost')
  })

  test('[SE82] what is parsed of a stream is bounded in all', () => {
    const entry = taped(`${delta('hello')}${`data: ${list(MB / 2)}\n\n`.repeat(20)}${stop}`)
    expect(entry).toMatchObject({ lost: 'it has too many values' })
  })

  test.each([
    ['a value', 'openai-chat' as const],
    ['a list of chunks', 'gemini' as const],
  ])('[SE82] %s with very many values is left out', (_, format) => {
    expect(taped(list(3 * MB), 'application/json', format)).toMatchObject({ lost: 'it has too many values' })
    expect(taped(`"${'x'.repeat(5 * MB)}"`, 'application/json', format)).toMatchObject({
      lost: expect.stringContaining('too long'),
    })
  })

  test('[SE82] so is a request', () => {
    const lines: string[] = []
    createTape({ write: line => lines.push(line) }).request({
      format: 'openai-chat',
      body: `{"messages":${list(8 * MB)}}`,
    })
    expect(readTape(lines.join('')).entries[0]).toMatchObject({ kind: 'request', lost: 'it has too many values' })
  })
})

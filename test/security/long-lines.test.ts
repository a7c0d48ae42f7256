import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { BoundedLines, type LongLine, requestIdOf } from '../../src/apps/mcp/bounded-lines.ts'
import { folder } from '../apps/cli/program.ts'
import { programFile } from '../programs.ts'

const child = spawn(process.execPath, [programFile('antiphon'), 'mcp'])
afterAll(() => {
  child.stdin.end()
})

describe('[SE292] a line of any length does not end antiphon mcp', () => {
  test('a longer one than 10 MB is answered with an error, and calls around it are answered', async () => {
    const answers = new Map<unknown, { result?: unknown; error?: { message: string } }>()
    const lines = createInterface(child.stdout)
    const arrived = (async () => {
      for await (const line of lines) {
        const { id, ...answer } = JSON.parse(line)
        answers.set(id, answer)
        if (answers.size === 5) return
      }
    })()
    const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`)
    const call = (name: string, given: object) => ({ method: 'tools/call', params: { name, arguments: given } })
    const clientInfo = { name: 'test', version: '1.0.0' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const long = 'x'.repeat(11 * 1024 * 1024)
    send({ jsonrpc: '2.0', id: 2, ...call('explain', { about: 'unanswered-call' }) })
    send({ jsonrpc: '2.0', id: 'long', ...call('check', { text: long }) })
    send({ ...call('check', { text: long }), jsonrpc: '2.0', id: 3 })
    send({ jsonrpc: '2.0', id: 4, ...call('explain', { about: 'orphan-result' }) })
    await arrived
    expect([...answers.keys()].sort()).toEqual([1, 2, 3, 4, 'long'])
    for (const id of [3, 'long']) expect(answers.get(id)?.error?.message).toContain('longer than 10 MB')
    for (const id of [2, 4]) expect(answers.get(id)?.result).toBeDefined()
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test.each([1, 7, 1000])('lines in pieces of %i bytes', async size => {
    const text = `short\n${'a'.repeat(500)}${'b'.repeat(5000)}${'c'.repeat(512)}\n\nlast\nno end`
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      Buffer.from(text.slice(index * size, (index + 1) * size)),
    )
    const long: LongLine[] = []
    const passed: string[] = []
    const lines = new BoundedLines(2000, line => long.push(line))
    for await (const line of Readable.from(pieces).pipe(lines)) passed.push(String(line))
    expect(passed).toEqual(['short\n', '\n', 'last\n'])
    expect(long).toEqual([['a'.repeat(500) + 'b'.repeat(12), `${'c'.repeat(511)}\n`]])
  })

  test('only the id of the request counts', () => {
    expect(requestIdOf(['{"jsonrpc":"2.0","id":7,"params":{"id":1', 'x"}}}'])).toBe(7)
    expect(requestIdOf(['{"method":"tools/call","params":{"id":1', 'x"}},"jsonrpc":"2.0","id":"a\\"b"}\r\n'])).toBe(
      'a"b',
    )
    expect(requestIdOf(['{"method":"tools/call","params":{"id":1,', 'x","id":3}}}'])).toBeUndefined()
    expect(requestIdOf(['xxxx', 'xxxx'])).toBeUndefined()
  })
})

test.runIf(process.platform !== 'win32')('[SE299] a FIFO as a file does not block antiphon mcp', async () => {
  const place = folder({})
  execFileSync('mkfifo', [join(place, 'fifo.json')])
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [programFile('antiphon'), 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: place }))
  onTestFinished(() => client.close())
  const calls = Array.from({ length: 5 }, (_, index) =>
    client.callTool({ name: index % 2 === 0 ? 'check' : 'heal', arguments: { file: 'fifo.json' } }),
  )
  for (const { isError, content } of await Promise.all(calls)) {
    expect(isError).toBe(true)
    expect(content).toEqual([{ type: 'text', text: 'antiphon: fifo.json: it is not a regular file' }])
  }
})

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/index.ts'
import { socketTransport } from '../../../src/journal/live/transports/socket.ts'
import { checkTransport } from './contract.ts'
import { Peer } from './peer.ts'
import { openSockets } from './sockets.ts'

const folder = mkdtempSync(join(tmpdir(), 'live-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = (name = `${files++}.db`): string => {
  const file = join(folder, name)
  writeFileSync(file, '')
  return file
}

checkTransport('by a socket beside a file', async () => {
  const file = newFile()
  const sockets = openSockets()
  return {
    open: async () => socketTransport(file),
    cut: () => sockets.cut(),
    down: async () => {
      await sockets.closeAll()
      // Nobody can connect to it or remove it.
      mkdirSync(`${file}-live`)
    },
    up: async () => rmSync(`${file}-live`, { recursive: true }),
    close: async () => sockets.stop(),
  }
})

describe('the socket beside a file', () => {
  test('[LV3] is used by one of many that begin at the same time, and removed by the last', async () => {
    const file = newFile()
    // As of a process that was killed.
    for (const isStale of [false, true]) {
      if (isStale) leaveSocket(file)
      const peers = Array.from({ length: 12 }, () => new Peer(socketTransport(file)))
      await expect.poll(() => peers.every(peer => peer.isConnected)).toBe(true)
      await Promise.all(peers.map(({ transport }) => transport.subscribe('a')))
      for (const [index, { transport }] of peers.entries()) transport.publish('a', String(index))
      const others = (own: number) => peers.map((_, index) => String(index)).filter((_, index) => index !== own)
      for (const [index, peer] of peers.entries())
        await expect.poll(() => peer.texts('a').sort()).toEqual(others(index).sort())
      for (const { transport } of peers) await transport.close()
      await expect.poll(() => existsSync(`${file}-live`)).toBe(false)
    }
  })

  test('[LV3] another takes over when the one that listens closes', async () => {
    const file = newFile()
    const first = await Peer.connected(socketTransport(file))
    const [second, third] = [await Peer.connected(socketTransport(file)), await Peer.connected(socketTransport(file))]
    await third.transport.subscribe('a')
    await first.transport.close()
    await expect
      .poll(() => {
        second.transport.publish('a', 'x')
        return third.texts('a').length
      })
      .toBeGreaterThan(0)
    expect([second.counts.lost, third.counts.lost]).toEqual([0, 0])
    for (const { transport } of [second, third]) await transport.close()
  })

  test('can be used by those who may write to the file', async () => {
    const file = newFile()
    const peer = await Peer.connected(socketTransport(file))
    expect(statSync(`${file}-live`).mode & 0o777).toBe(statSync(file).mode & 0o666)
    await peer.transport.close()
  })

  test('[LV11] of another user is not used: the journal polls, and connects when it is gone', async () => {
    const file = newFile()
    const path = `${file}-live`
    const stranger = createServer(socket => socket.destroy())
    await once(stranger.listen(path), 'listening')
    let connections = 0
    stranger.on('connection', () => connections++)
    const undo = giveAway(path)
    const peer = new Peer(socketTransport(file))
    await expect.poll(() => peer.counts.lost).toBe(1)
    expect(String(peer.lastError)).toContain(`${path} belongs to another user (uid 65534)`)
    expect([peer.isConnected, connections]).toEqual([false, 0])
    stranger.close()
    undo()
    await expect.poll(() => peer.isConnected, { timeout: 20_000 }).toBe(true)
    await peer.transport.close()
  })

  test('[LV11] of the owner of the file is used', async () => {
    const file = newFile()
    const host = await Peer.connected(socketTransport(file))
    const undo = giveAway(file, `${file}-live`)
    const member = await Peer.connected(socketTransport(file))
    await member.transport.subscribe('a')
    host.transport.publish('a', 'x')
    await expect.poll(() => member.texts('a')).toEqual(['x'])
    undo()
    for (const { transport } of [member, host]) await transport.close()
  })

  test.each([
    ['an object', '["+",{"toString":0}]'],
    ['a deep list', `["=","a",${'['.repeat(40_000)}${']'.repeat(40_000)}]`],
    ['no list', '{}'],
  ])('disconnects a peer that sends %s, and goes on', async (_, line) => {
    const file = newFile()
    const host = await Peer.connected(socketTransport(file))
    const member = await Peer.connected(socketTransport(file))
    await member.transport.subscribe('a')
    const stranger = connect(`${file}-live`)
    stranger.on('error', () => {})
    const closed = once(stranger, 'close')
    stranger.write(`${line}\n`)
    await closed
    host.transport.publish('a', 'x')
    await expect.poll(() => member.texts('a')).toEqual(['x'])
    for (const { transport } of [member, host]) await transport.close()
  })

  test('is in a private folder if the path of the file is too long', async () => {
    const deep = join(folder, 'x'.repeat(120))
    mkdirSync(deep)
    const file = join(deep, 'chat.db')
    writeFileSync(file, '')
    const [one, other] = [await Peer.connected(socketTransport(file)), await Peer.connected(socketTransport(file))]
    await other.transport.subscribe('a')
    one.transport.publish('a', 'x')
    await expect.poll(() => other.texts('a')).toEqual(['x'])
    expect(readdirSync(deep)).toEqual(['chat.db'])
    expect(statSync(join(tmpdir(), `antiphon-${process.getuid?.()}`)).mode & 0o777).toBe(0o700)
    for (const { transport } of [one, other]) await transport.close()
  })

  test.each(['sqlite:FILE', 'sqlite:file:FILE?x=1', 'sqlite:file:FILE%zz%C3%A4%?x=1'])(
    'openJournal(%s, { live: true })',
    async location => {
      const file = join(folder, `${files++} journal.db`)
      const [writer, reader] = await Promise.all(
        [0, 1].map(() => openJournal(location.replace('FILE', file.replaceAll(' ', '%20')), { live: true })),
      )
      const seen: string[] = []
      const stopping = new AbortController()
      const watching = (async () => {
        for await (const entry of reader?.thread('t').watch({ signal: stopping.signal }) ?? []) seen.push(entry.kind)
      })()
      await writer?.thread('t').submit('Hello')
      await expect.poll(() => seen).toEqual(['input-submit'])
      stopping.abort()
      await watching
      await writer?.close()
      await reader?.close()
    },
  )

  test('a journal in memory has none', async () => {
    const journal = await openJournal('memory:', { live: true })
    await journal.thread('t').submit('Hello')
    await journal.close()
  })
})

/** Makes files belong to another user; root really gives them away. Others may not, so for them the system only says so. */
function giveAway(...paths: readonly string[]): () => void {
  if (process.getuid?.() === 0) {
    for (const path of paths) fs.chownSync(path, 65_534, 65_534)
    return () => {}
  }
  const originals = { lstatSync: fs.lstatSync, statSync: fs.statSync }
  for (const name of ['lstatSync', 'statSync'] as const) {
    const of = originals[name] as (path: string, options?: object) => fs.Stats | undefined
    const changed = (path: string, options?: object): unknown => {
      const found = of(path, options)
      return found && paths.includes(path) ? Object.assign(found, { uid: 65_534 }) : found
    }
    Object.assign(fs, { [name]: changed })
  }
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
  }
}

/** A socket file on which nobody listens. */
function leaveSocket(file: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(`${file}-live`)}, () => process.kill(process.pid, 'SIGKILL'))`
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })
  } catch {
    // It was killed.
  }
  expect(existsSync(`${file}-live`)).toBe(true)
}

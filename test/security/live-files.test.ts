import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { socketTransport } from '../../src/journal/live/transports/socket.ts'
import { Peer } from '../journal/live/peer.ts'

test.each(['a file', 'a link to a file'])(
  '[SE501] %s in the place of the live socket is kept, and said',
  async kind => {
    const folder = mkdtempSync(join(tmpdir(), 'live-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'chat.db')
    const copy = join(folder, 'copy.db')
    const place = `${file}-live`
    writeFileSync(file, '')
    writeFileSync(kind === 'a file' ? place : copy, 'a copy')
    if (kind !== 'a file') symlinkSync(copy, place)
    const peer = new Peer(socketTransport(file))
    onTestFinished(() => peer.transport.close())
    await expect.poll(() => peer.counts.lost + peer.counts.connected).toBe(1)
    expect([existsSync(place), peer.counts.lost]).toEqual([true, 1])
    expect(readFileSync(place, 'utf8')).toBe('a copy')
    expect(String(peer.lastError)).toContain(`${place} is not a socket: move it away`)
  },
)

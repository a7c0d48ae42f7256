import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { systems } from '../../src/doctor/systems.ts'
import { all, inFolder } from '../doctor/contract.ts'

/** A frame of zstd with so many blocks, each of which says: this byte, 128 KB of it. */
function bombOf(blocks: number): Buffer {
  const frame = Buffer.alloc(6 + blocks * 4)
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  for (let index = 0; index < blocks; index++) {
    const isLast = index === blocks - 1 ? 1 : 0
    frame.writeUIntLE((131_072 << 3) | (1 << 1) | isLast, 6 + index * 4, 3)
    frame[9 + index * 4] = 0x20
  }
  return frame
}

test('[SE5] a compressed rollout that unpacks to far more than its size is left alone', () =>
  inFolder(async folder => {
    const path = join(folder, 'rollout-2026-01-01T00-00-00-01990000-0000-7000-8000-000000000000.jsonl.zst')
    const bomb = bombOf(2100)
    writeFileSync(path, bomb)
    expect(bomb.length).toBeLessThan(10_000)
    const codex = systems.filter(({ id }) => id === 'codex').map(system => ({ ...system, recognises: () => true }))
    const visits = await all(examineStores([path], { systems: codex }))
    expect(visits).toMatchObject([
      {
        kind: 'unreadable',
        error: { message: `${path}: it unpacks to more than 1000 times its size, so it was left as it is` },
      },
    ])
  }))

/** An empty frame of zstd that asks for a window: 128 MB for 0x88, 1 KB for 0. */
const emptyFrame = (window: number): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window, 0x01, 0, 0])

/** An empty frame without a window, which says how much it holds. */
function boastingFrame(size: bigint): Buffer {
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0, 0])
  frame.writeBigUInt64LE(size, 5)
  return frame
}

test.each([
  ['with a large window each', Array(5_000).fill(emptyFrame(0x88))],
  ['with a small window each', Array(100_000).fill(emptyFrame(0))],
  ['that say how much they hold', Array(5_000).fill(boastingFrame(2n ** 27n))],
  ['that are to be skipped', Array(100_000).fill(Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]))],
])('[SE73] a compressed rollout of very many frames %s is left alone', (_, frames) =>
  inFolder(async folder => {
    const path = join(folder, 'rollout-2026-01-01T00-00-00-01990000-0000-7000-8000-000000000000.jsonl.zst')
    writeFileSync(path, Buffer.concat(frames))
    const codex = systems.filter(({ id }) => id === 'codex').map(system => ({ ...system, recognises: () => true }))
    expect(await all(examineStores([path], { systems: codex }))).toMatchObject([
      {
        kind: 'unreadable',
        error: {
          message: `${path}: its compressed frames request far more memory than their size justifies (a decompression bomb?), so it was not read`,
        },
      },
    ])
  }),
)

test('[SE73] a compressed rollout of a few frames with large windows is read', () =>
  inFolder(async folder => {
    const path = join(folder, 'rollout-2026-01-01T00-00-00-01990000-0000-7000-8000-000000000000.jsonl.zst')
    const text =
      '{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"go"}}\n'
    writeFileSync(path, Buffer.concat([zstdCompressSync(Buffer.from(text)), ...Array(100).fill(emptyFrame(0x58))]))
    const codex = systems.filter(({ id }) => id === 'codex').map(system => ({ ...system, recognises: () => true }))
    expect(await all(examineStores([path], { systems: codex }))).toMatchObject([{ kind: 'conversation' }])
  }))

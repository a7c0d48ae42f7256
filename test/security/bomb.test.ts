import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { visit } from '../../src/doctor/doctor.ts'
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
    const visits = await all(visit([path], { systems: codex }))
    expect(visits).toMatchObject([
      {
        kind: 'trouble',
        error: { message: `${path}: it unpacks to more than 1000 times its size, so it was left as it is` },
      },
    ])
  }))

import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openBackup } from '../../src/doctor/backup/backup.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { copyRegularFile } from '../../src/doctor/files/regular-file.ts'
import { readSource } from '../../src/doctor/files/source.ts'
import { lookCopyOf } from '../../src/doctor/look-copy.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { all, inFolder } from '../doctor/contract.ts'
import { root } from '../repository.ts'

const bytesOnDisk = (path: string): number => statSync(path).blocks * 512

describe('a file that is almost nothing but holes', () => {
  test('[SE72] its copy has the same bytes and holes, to look at and as a backup', () =>
    inFolder(async folder => {
      const path = join(folder, 'store')
      writeFileSync(path, 'begin')
      truncateSync(path, 64 * 1024 * 1024)
      writeFileSync(path, 'end', { flag: 'a' })
      const look = lookCopyOf(path)
      const backup = openBackup(join(folder, 'backups'), 'plain', path, 0)
      backup.addFile(path)
      for (const copy of [look.path, join(backup.folder, '000000')]) {
        expect(readFileSync(copy).equals(readFileSync(path))).toBe(true)
        expect(bytesOnDisk(copy)).toBeLessThan(1024 * 1024)
      }
      look.remove()
    }))

  test('[SE72] a text of terabytes is refused before it is read', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.json')
      writeFileSync(path, '[]')
      truncateSync(path, 1024 ** 4)
      await expect(readSource(path)).rejects.toThrow(`${path}: it is too large: more than 512 MB`)
    }))

  test('[SE72] a database of terabytes with a log next to it is refused in one line, and nothing is left of a copy', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      const database = new DatabaseSync(path)
      database.exec(readFileSync(join(root, 'test/doctor/systems/langgraph/samples/broken.sql'), 'utf8'))
      database.close()
      truncateSync(path, 1024 ** 4)
      writeFileSync(`${path}-wal`, 'x'.repeat(100))
      const copies = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('antiphon-look-'))
      const before = copies()
      for (const fix of [false, true])
        expect(
          await all(examineStores([path], { systems: [langgraph], fix, backups: join(folder, 'backups') })),
        ).toMatchObject([
          {
            kind: 'unreadable',
            error: { message: `${path}: it is almost nothing but holes (a sparse file), so it was not copied` },
          },
        ])
      expect(copies()).toEqual(before)
    }))

  test('[SE72] a copy replaces nothing', () =>
    inFolder(async folder => {
      const [path, copy] = [join(folder, 'store'), join(folder, 'copy')]
      mkdirSync(copy)
      writeFileSync(path, 'bytes')
      expect(() => copyRegularFile(path, copy)).toThrow('EEXIST')
    }))
})

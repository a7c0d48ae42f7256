import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBackup } from '../../src/doctor/backup/backup.ts'
import { restore } from '../../src/doctor/backup/restore.ts'
import { systems } from '../../src/doctor/systems.ts'
import { bytesOf, inFolder } from '../doctor/contract.ts'
import { picture } from './picture.ts'

interface Scene {
  readonly root: string
  readonly store: string
  readonly backup: string
  /** A file that is none of the store. */
  readonly prey: string
}

interface Listed {
  readonly path: string
  readonly copy?: string
  readonly sha256?: string
  readonly mode?: number
  readonly uid?: number
  readonly gid?: number
}

const evil = 'ssh-rsa evil'
const sha256 = createHash('sha256').update(evil).digest('hex')
const precious = createHash('sha256').update('precious').digest('hex')

/** Writes a backup that somebody made up, and brings it back. */
const restoring = (
  list: (scene: Scene) => Record<string, unknown>,
  then: (scene: Scene, outcome: PromiseSettledResult<unknown>) => void,
  prepare: (scene: Scene) => void = () => {},
) =>
  inFolder(async root => {
    const scene = { root, store: join(root, 'store'), backup: join(root, 'backup'), prey: join(root, 'prey') }
    for (const folder of [scene.store, scene.backup]) mkdirSync(folder)
    writeFileSync(scene.prey, 'precious')
    writeFileSync(join(scene.backup, '000000'), evil)
    prepare(scene)
    const manifest = { antiphon: 1, system: 'plain', path: scene.store, made: '', ...list(scene) }
    writeFileSync(join(scene.backup, 'backup.json'), JSON.stringify(manifest))
    const [outcome] = await Promise.allSettled([restore(scene.backup, systems)])
    then(scene, outcome)
  })

const kept = (path: string, more: Partial<Listed> = {}): Listed => ({ path, copy: '000000', sha256, ...more })

const hostile: [string, (scene: Scene) => Record<string, unknown>, ((scene: Scene) => void)?][] = [
  ['a file beside the store', ({ prey }) => ({ files: [kept(prey)] })],
  ['a file beside the store that is to go', ({ prey }) => ({ files: [{ path: prey }] })],
  ['a path that leads out again', ({ store }) => ({ files: [kept(`${store}/../prey`)] })],
  ['a relative path', ({ prey }) => ({ files: [kept(relative(process.cwd(), prey))] })],
  ['a store whose name only begins so', ({ prey }) => ({ path: prey.slice(0, -1), files: [kept(prey)] })],
  [
    'a copy that stands elsewhere',
    ({ store }) => ({ files: [{ path: join(store, 'chat.json'), copy: '../prey', sha256: precious }] }),
  ],
  [
    'a copy that is a link',
    ({ store }) => ({ files: [{ path: join(store, 'chat.json'), copy: '000001', sha256: precious }] }),
    ({ backup, prey }) => symlinkSync(prey, join(backup, '000001')),
  ],
  [
    'data that stand elsewhere',
    () => ({
      path: 'postgres://127.0.0.1:1/x',
      system: 'instatic',
      files: [],
      data: { copy: '../prey', sha256: precious },
    }),
  ],
  ['files of a database server', ({ prey }) => ({ path: 'postgres://127.0.0.1:1/x', files: [kept(prey)] })],
  ['a system that is a path', ({ store }) => ({ system: '../../x', files: [kept(join(store, 'chat.json'))] })],
  ['a name with a zero in it', ({ store }) => ({ files: [kept(`${store}/a\0b`)] })],
  [
    'a file that is named twice',
    ({ store }) => ({ files: [kept(join(store, 'chat.json')), { path: join(store, 'chat.json') }] }),
  ],
  ['a file that is also a folder', ({ store }) => ({ files: [kept(join(store, 'x')), kept(join(store, 'x/y'))] })],
  ['a mode that is not a number', ({ store }) => ({ files: [{ ...kept(join(store, 'chat.json')), mode: {} }] })],
  ['an owner that is not a number', ({ store }) => ({ files: [{ ...kept(join(store, 'chat.json')), uid: '0' }] })],
  [
    'a manifest that is a link',
    ({ store }) => ({ files: [kept(join(store, 'chat.json'))] }),
    ({ backup }) => symlinkSync('real.json', join(backup, 'backup.json')),
  ],
  ['files that are none', () => ({ files: [null, 7, 'x'] })],
  ['folders that are none', ({ store }) => ({ files: [kept(join(store, 'chat.json'))], folders: [{ path: 7 }] })],
]

describe('a backup that somebody else made', () => {
  test.each(hostile)('[SE1] %s: nothing is read, written or removed', (_, list, prepare) =>
    restoring(
      list,
      ({ root, prey, store }, outcome) => {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreadable' } })
        expect(String((outcome as PromiseRejectedResult).reason.message)).toContain('it is not a backup of the doctor')
        expect(readFileSync(prey, 'utf8')).toBe('precious')
        expect(readdirSync(store)).toEqual([])
        expect(readdirSync(root).sort()).toEqual(['backup', 'prey', 'store'])
      },
      prepare,
    ),
  )

  test.each([
    ...['postgres', 'POSTGRES', 'Postgres', 'postgresql', 'postgresql+x', 'http', 'x'].map(scheme => `${scheme}://`),
    ...['//', ' postgres://', 'postgres:', 'postgres:/'],
  ])('[SE1] a database server that only the backup names is not connected to: %s', async beginning => {
    let connections = 0
    const server = createServer(socket => {
      connections++
      socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const path = `${beginning}127.0.0.1:${(server.address() as AddressInfo).port}/x`
    const rows = JSON.stringify({ chat: 'c', before: [], after: [] })
    const data = { copy: 'data', sha256: createHash('sha256').update(rows).digest('hex') }
    await restoring(
      () => ({ path, system: 'instatic', files: [], data }),
      (_, outcome) => {
        const { reason } = outcome as PromiseRejectedResult
        expect(reason).toMatchObject({ code: 'unreadable' })
        if (/^postgres(ql)?:\/\//.test(path))
          expect(reason).toHaveProperty('hint', expect.stringContaining('give its address'))
      },
      ({ backup }) => writeFileSync(join(backup, 'data'), rows),
    )
    expect(connections).toBe(0)
    server.close()
  })

  const linked: [string, (scene: Scene) => Record<string, unknown>, (scene: Scene) => void][] = [
    [
      'a folder of the store that is a link out of it',
      ({ store }) => ({ files: [kept(join(store, 'part/msg_1/prey'))] }),
      ({ root, store }) => symlinkSync(root, join(store, 'part/msg_1')),
    ],
    [
      'a link above that, by which the real path is named',
      ({ prey }) => ({ files: [kept(prey)] }),
      ({ store }) => symlinkSync('../../..', join(store, 'part/msg_1')),
    ],
    [
      'a file of the store that is a link',
      ({ store }) => ({ files: [kept(join(store, 'part/prt_1.json'))] }),
      ({ prey, store }) => symlinkSync(prey, join(store, 'part/prt_1.json')),
    ],
    [
      'a file behind a link that is to go',
      ({ store }) => ({ files: [{ path: join(store, 'part/msg_1/prey') }] }),
      ({ root, store }) => symlinkSync(root, join(store, 'part/msg_1')),
    ],
    [
      'a link that stays inside the store',
      ({ store }) => ({ files: [kept(join(store, 'part/msg_1/chat.json'))] }),
      ({ store }) => symlinkSync('../message', join(store, 'part/msg_1')),
    ],
    [
      'folders behind a link to be made',
      ({ store }) => ({ files: [kept(join(store, 'part/msg_1/made/chat.json'))] }),
      ({ root, store }) => symlinkSync(root, join(store, 'part/msg_1')),
    ],
  ]

  test.each(linked)('[SE21] %s: nothing is written or removed through it', (_, list, prepare) => {
    let before = {}
    return restoring(
      scene => ({ system: 'opencode', ...list(scene) }),
      ({ root }, outcome) => {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreadable' } })
        expect(String((outcome as PromiseRejectedResult).reason.message)).toMatch(/symbolic link|is not a file of/)
        expect(picture(root)).toEqual({ ...before, 'backup/backup.json': expect.anything() })
      },
      scene => {
        for (const name of ['session', 'message', 'part']) mkdirSync(join(scene.store, name))
        prepare(scene)
        before = picture(scene.root)
      },
    )
  })

  const noStores: [string, (scene: Scene) => Record<string, unknown>, ((scene: Scene) => void)?][] = [
    ['the folder above the store', ({ root, prey }) => ({ path: root, files: [kept(prey)] })],
    ['the root of the disk', ({ prey }) => ({ path: '/', files: [kept(prey)] })],
    ['the root of the disk, and a file elsewhere', () => ({ path: '/', files: [kept('/antiphon-no-such-file')] })],
    [
      'a link to a file that is no store',
      ({ store, prey }) => ({ path: join(store, 'chat.json'), files: [kept(prey)] }),
      ({ store, prey }) => symlinkSync(prey, join(store, 'chat.json')),
    ],
    [
      'a file that is reached through a linked folder',
      ({ store }) => ({ path: join(store, 'in/prey'), files: [kept(join(store, 'in/prey'))] }),
      ({ store, root }) => symlinkSync(root, join(store, 'in')),
    ],
    ['folders elsewhere', ({ store }) => ({ files: [kept(join(store, 'a'))], folders: [{ path: '/', names: [] }] })],
  ]

  test.each(noStores)(
    '[SE22] %s is named as the store: nothing is looked through, written or removed',
    (_, list, prepare) => {
      let before = {}
      return restoring(
        list,
        ({ root }, outcome) => {
          expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreadable' } })
          expect(String((outcome as PromiseRejectedResult).reason.message)).toContain(
            'it is not a backup of the doctor',
          )
          expect(picture(root)).toEqual({ ...before, 'backup/backup.json': expect.anything() })
        },
        scene => {
          prepare?.(scene)
          before = picture(scene.root)
        },
      )
    },
  )

  test('[SE1] no file comes back with the rights of its owner for everybody', () =>
    restoring(
      ({ store }) => ({
        path: join(store, 'chat.json'),
        files: [kept(join(store, 'chat.json'), { mode: 0o6755 })],
      }),
      ({ store }, outcome) => {
        expect(outcome.status).toBe('fulfilled')
        expect(statSync(join(store, 'chat.json')).mode & 0o7777).toBe(0o755)
      },
    ))

  test('[SE1] a store that is named is restored, and no other', () =>
    inFolder(async root => {
      const [backup, other, meant] = ['backup', 'other.json', 'meant.json'].map(name => join(root, name))
      mkdirSync(backup)
      writeFileSync(join(backup, '000000'), evil)
      const list = { antiphon: 1, system: 'plain', path: other, made: '', files: [kept(other)] }
      writeFileSync(join(backup, 'backup.json'), JSON.stringify(list))
      const before = bytesOf(root)
      await expect(restore(backup, systems, meant)).rejects.toThrow(`${meant}: this is not what was backed up`)
      expect(bytesOf(root)).toEqual(before)
      await restore(backup, systems, relative(process.cwd(), other))
      expect(readFileSync(other, 'utf8')).toBe(evil)
    }))
})

describe('a file that is there', () => {
  const chatIn = ({ root }: Scene): string => join(root, 'chat.json')
  const listed = (scene: Scene, more: Partial<Listed>) => ({ path: chatIn(scene), files: [kept(chatIn(scene), more)] })

  test.each([0o777, 0o666, -1])('[SE542] cannot be read by others after a restore, whatever mode %s says', mode =>
    restoring(
      scene => listed(scene, { mode }),
      scene => {
        expect(readFileSync(chatIn(scene), 'utf8')).toBe(evil)
        expect(statSync(chatIn(scene)).mode & 0o077).toBe(0)
      },
      scene => {
        writeFileSync(chatIn(scene), 'private')
        chmodSync(chatIn(scene), 0o600)
      },
    ),
  )

  test.runIf(process.getuid?.() === 0)('[SE542] keeps its owner when a superuser restores it', () =>
    restoring(
      scene => listed(scene, { uid: 4_242, gid: 4_242 }),
      scene => {
        expect(readFileSync(chatIn(scene), 'utf8')).toBe(evil)
        expect(statSync(chatIn(scene))).toMatchObject({ uid: 4_343, gid: 4_343 })
      },
      scene => {
        writeFileSync(chatIn(scene), 'private')
        chownSync(chatIn(scene), 4_343, 4_343)
      },
    ),
  )
})

test('[SE6] a backup is for its owner alone to read', () =>
  inFolder(async root => {
    const chat = join(root, 'chat.json')
    writeFileSync(chat, 'what was said', { mode: 0o666 })
    const backup = openBackup(join(root, 'backups'), 'plain', chat, 0)
    backup.addFile(chat)
    backup.close()
    for (const folder of [join(root, 'backups'), backup.folder]) expect(statSync(folder).mode & 0o777).toBe(0o700)
  }))

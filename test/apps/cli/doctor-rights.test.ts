import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../doctor/contract.ts'
import { folder, lines } from './program.ts'

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const broken = JSON.stringify([
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'go on' },
])

describe('antiphon doctor without rights', () => {
  test('[DD25] what one may not read or write is one clear line each, the rest is healed, and the exit code is 2', () => {
    const root = folder()
    const place = (name: string, folderMode: number, fileMode: number): string => {
      const path = join(root, 'stores', name)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'chat.json'), broken)
      chmodSync(join(path, 'chat.json'), fileMode)
      // What other users have open cannot be seen, so the files are those of the user who runs the doctor.
      if (process.getuid?.() === 0) chownSync(join(path, 'chat.json'), 65_534, 65_534)
      chmodSync(path, folderMode)
      return path
    }
    const closed = place('closed', 0o000, 0o666)
    const hidden = place('hidden', 0o777, 0o000)
    const sealed = place('sealed', 0o555, 0o666)
    const written = place('written', 0o777, 0o444)
    const open = place('open', 0o777, 0o666)
    for (const path of [root, join(root, 'stores')]) chmodSync(path, 0o777)
    const { status, stdout, stderr } = doctor(root, '--fix', join(root, 'stores'))
    for (const path of [closed, hidden, sealed]) chmodSync(path, 0o777)
    chmodSync(join(hidden, 'chat.json'), 0o666)
    expect(lines(stderr).sort()).toEqual([
      `antiphon: ${closed}: permission denied`,
      `antiphon: ${join(hidden, 'chat.json')}: permission denied`,
      `antiphon: ${join(sealed, 'chat.json')}: it cannot be replaced: permission denied (nothing was changed)`,
      `antiphon: ${join(written, 'chat.json')}: it cannot be replaced: permission denied (nothing was changed)`,
    ])
    for (const path of [closed, hidden, sealed, written])
      expect(bytesOf(path, true), path).toEqual({ 'chat.json': broken })
    expect(stdout).toContain(`healed   plain  ${join(open, 'chat.json')}`)
    expect(readFileSync(join(open, 'chat.json'), 'utf8')).not.toBe(broken)
    expect(status).toBe(2)
  })

  test('[DD25] a folder that is named and closed is one clear line', () => {
    const root = folder({ 'chat.json': broken })
    chmodSync(root, 0o000)
    const { status, stderr } = doctor(root, root)
    chmodSync(root, 0o777)
    expect({ status, said: lines(stderr) }).toEqual({ status: 2, said: [`antiphon: ${root}: permission denied`] })
  })
})

function doctor(home: string, ...args: string[]) {
  const child = join(import.meta.dirname, 'as-nobody.ts')
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') }
  return spawnSync(process.execPath, [child, 'doctor', ...args], { encoding: 'utf8', cwd: '/', env })
}

/**
 * The doctor on a copy of a stuck Codex session: diagnosed, healed with a backup, and restored.
 *
 *   npx node examples/doctor.ts
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { antiphon } from './command.ts'

const sample = fileURLToPath(new URL('../test/doctor/systems/codex/samples/broken', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'antiphon-example-'))
const [sessions, backups] = [join(folder, 'sessions'), join(folder, 'backups')]
cpSync(sample, sessions, { recursive: true })
const content = () => readdirSync(sessions).map(name => readFileSync(join(sessions, name), 'utf8'))
const before = content()

antiphon('doctor', sessions)
antiphon('doctor', '--fix', sessions, '--backup', backups)
antiphon('doctor', sessions)
for (const name of readdirSync(backups)) antiphon('doctor', '--restore', join(backups, name))
console.log('restored byte for byte:', content().join() === before.join())
rmSync(folder, { recursive: true })

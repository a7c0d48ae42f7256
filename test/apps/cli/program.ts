import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { programFile } from '../../programs.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly input?: string | Buffer
  readonly cwd?: string
  readonly env?: Record<string, string>
}

/** Runs the real program, as a user does. */
export function antiphon(args: readonly string[], { input, cwd, env }: Surroundings = {}): Promise<Outcome> {
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...clean } = process.env
  const child = spawn(process.execPath, [programFile('antiphon'), ...args], { cwd, env: { ...clean, ...env } })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', chunk => stdout.push(chunk))
  child.stderr.on('data', chunk => stderr.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    )
  })
}

const folders: string[] = []

afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** A folder of its own for a test, with these files in it. */
export function folder(files: Record<string, string | Buffer> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'antiphon-'))
  folders.push(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

export const lines = (text: string): string[] => text.split('\n').filter(line => line !== '')

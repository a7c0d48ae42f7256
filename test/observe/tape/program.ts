import { Command } from 'commander'
import { vi } from 'vitest'
import { addTape } from '../../../src/apps/cli/commands/tape.ts'
import { errorLine } from '../../../src/apps/cli/error-line.ts'

/** Runs `antiphon tape`, and gives what it writes and its exit code. */
export async function tapeCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const stdout: string[] = []
  const written = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    stdout.push(String(text))
    return true
  })
  const before = process.exitCode
  process.exitCode = 0
  try {
    const program = new Command('antiphon').exitOverride().configureOutput({ writeErr: () => {} })
    addTape(program)
    const stderr = await program.parseAsync(['tape', ...args], { from: 'user' }).then(() => '', errorLine)
    return { code: stderr === '' ? Number(process.exitCode) : 2, stdout: stdout.join(''), stderr }
  } finally {
    process.exitCode = before
    written.mockRestore()
  }
}

import { spawn } from 'node:child_process'
import { BoundedText } from './bounded-text.ts'

export interface CommandOutcome {
  /** Null if the command was killed. */
  readonly code: number | null
  readonly stdout: BoundedText
  readonly stderr: BoundedText
}

/** A few thousand tokens. */
const charactersMax = 40_000

/** An agent may call any number of tools at once, and each is a process: more than this would fill the memory of the machine. */
const runningMax = 4

const waiting: (() => void)[] = []
let running = 0

/**
 * Runs a command of this program in a process of its own, so that its output and checks are those of the terminal, and it can be cancelled. A
 * few run at the same time, others wait.
 */
export async function runCommand(args: readonly string[], signal: AbortSignal, input = ''): Promise<CommandOutcome> {
  if (running < runningMax) running++
  else await new Promise<void>(resolve => waiting.push(resolve))
  try {
    return await spawnCommand(args, signal, input)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function spawnCommand(args: readonly string[], signal: AbortSignal, input: string): Promise<CommandOutcome> {
  const [program = ''] = process.argv.slice(1)
  const { FORCE_COLOR: _, ...env } = process.env
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], { signal, env })
  const [stdout, stderr] = [new BoundedText(charactersMax), new BoundedText(charactersMax)]
  child.stdout.setEncoding('utf8').on('data', text => stdout.add(text))
  child.stderr.setEncoding('utf8').on('data', text => stderr.add(text))
  // A command that reads no input closes it early.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout, stderr }))
  })
}

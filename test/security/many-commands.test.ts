import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/apps/mcp/run-command.ts'
import { inFolder } from '../doctor/contract.ts'

test('[SE244] of many commands that an agent calls at once by MCP, few run at the same time, and all are answered', () =>
  inFolder(async folder => {
    const [program, log] = [join(folder, 'program.mjs'), join(folder, 'log')]
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'
       appendFileSync(process.argv[2], '+')
       await new Promise(resolve => setTimeout(resolve, 300))
       appendFileSync(process.argv[2], '-')`,
    )
    const own = process.argv[1]
    process.argv[1] = program
    try {
      const signals = Array.from({ length: 16 }, (_, at) =>
        at === 7 ? AbortSignal.abort() : new AbortController().signal,
      )
      const outcomes = await Promise.allSettled(signals.map(signal => runCommand([log], signal)))
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      expect(outcomes.filter(one => one.status === 'fulfilled' && one.value.code === 0)).toHaveLength(15)
    } finally {
      process.argv[1] = own
    }
    let running = 0
    const counts = [...readFileSync(log, 'utf8')].map(mark => {
      running += mark === '+' ? 1 : -1
      return running
    })
    expect(counts).toHaveLength(30)
    expect(Math.max(...counts)).toBeLessThanOrEqual(4)
  }))

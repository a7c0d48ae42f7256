import { Command } from 'commander'
import { addExport } from '../../../src/apps/cli/commands/export.ts'
import { addShow } from '../../../src/apps/cli/commands/show.ts'
import { addThreads } from '../../../src/apps/cli/commands/threads.ts'
import { errorLine } from '../../../src/apps/cli/error-line.ts'
// Loaded before the rights are given up, since nobody may not be able to read it.
import '../../../src/journal/stores/sqlite/store.ts'

/** The commands that look at journals, as somebody who may do nothing special. */
const program = new Command('antiphon')
for (const add of [addThreads, addShow, addExport]) add(program)
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
await program.parseAsync().catch(error => {
  process.stderr.write(`${errorLine(error)}\n`)
  process.exitCode = 2
})

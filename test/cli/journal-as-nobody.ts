import { Command } from 'commander'
import { complaint } from '../../src/cli/complaint.ts'
import { addExport } from '../../src/cli/export.ts'
import { addShow } from '../../src/cli/show.ts'
import { addThreads } from '../../src/cli/threads.ts'
// Loaded before the rights are given up, since nobody may not be able to read it.
import '../../src/journal/sqlite/store.ts'

/** The commands that look at journals, as somebody who may do nothing special. */
const program = new Command('antiphon')
for (const add of [addThreads, addShow, addExport]) add(program)
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
await program.parseAsync().catch(error => {
  process.stderr.write(`${complaint(error)}\n`)
  process.exitCode = 2
})

import { Command } from 'commander'
import { addDoctor } from '../../../src/apps/cli/commands/doctor/doctor.ts'

/**
 * The doctor as somebody who may do nothing special. A superuser becomes nobody only when everything is loaded, since nobody
 * may not be able to read it.
 */
const program = new Command('antiphon')
addDoctor(program)
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
await program.parseAsync()

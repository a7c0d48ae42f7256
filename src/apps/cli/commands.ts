import type { Command } from 'commander'
import { oldNodeError } from '../../journal/stores/old-node.ts'

type AddCommand = (program: Command) => void

/** Every command and how it is loaded: only the one that is used, since most of a start is reading files. */
export const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  check: async () => (await import('./commands/check.ts')).addCheck,
  heal: async () => (await import('./commands/heal/heal.ts')).addHeal,
  explain: async () => (await import('./commands/explain.ts')).addExplain,
  shrink: async () => (await import('./commands/shrink.ts')).addShrink,
  trim: async () => (await import('./commands/trim.ts')).addTrim,
  convert: async () => (await import('./commands/convert.ts')).addConvert,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).addDoctor,
  extract: async () => (await import('./commands/sessions/extract.ts')).addExtract,
  move: async () => (await import('./commands/sessions/move.ts')).addMove,
  strict: async () => (await import('./commands/strict.ts')).addStrict,
  proxy: async () => (await import('./commands/proxy.ts')).addProxy,
  threads: async () => (await import('./commands/threads.ts')).addThreads,
  show: async () => (await import('./commands/show.ts')).addShow,
  approve: async () => (await import('./commands/approve.ts')).addApprove,
  deny: async () => (await import('./commands/approve.ts')).addApprove,
  export: async () => (await import('./commands/export.ts')).addExport,
  erase: async () => (await import('./commands/erase.ts')).addErase,
  expire: async () => (await import('./commands/expire.ts')).addExpire,
  rebalance: async () => (await import('./commands/rebalance.ts')).addRebalance,
  tape: async () => (await import('./commands/tape.ts')).addTape,
  view: async () => (await import('./commands/view.ts')).addView,
  init: async () => (await import('./commands/init.ts')).addInit,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  completion: async () => (await import('./completion.ts')).addCompletion,
}

/** Adds the named command, or all: if none is named, and to complete them. */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  const wanted = name === undefined || name === 'completion' ? Object.keys(commands) : [name]
  const adding = await Promise.all(wanted.map(wanted.length === 1 ? load : loadIfPossible))
  for (const add of new Set(adding)) add?.(program)
}

const load = async (name: string): Promise<AddCommand | undefined> => commands[name]?.()

/** The list of commands also has those that need a newer Node. */
const loadIfPossible = (name: string): Promise<AddCommand | undefined> =>
  load(name).catch(error => {
    const tooOld = oldNodeError('this command', error)
    if (!tooOld) throw error
    return program => program.command(name).description(tooOld.message)
  })

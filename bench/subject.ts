import type { Message } from './histories.ts'

/** A function under comparison: antiphon's, or the one that a peer sanitises or validates a history with. */
export interface Subject {
  name: string
  /** Its function that is measured. */
  via: string
  /** Brings a history into the subject's own shape, outside the timed section. `reader` says for whom; a peer has no such notion. */
  prepare(history: Message[], reader: string): Trial
}

export interface Trial {
  /** The timed section. */
  run(): unknown
  /** What came out, back in the openai-chat shape. */
  read(outcome: unknown): Message[]
}

/** A subject from its three steps: into its own shape, through its function, and back. */
export function subject<Own>(
  name: string,
  via: string,
  steps: { encode(history: Message[]): Own; run(own: Own): Own | Promise<Own>; decode(own: Own): Message[] },
): Subject {
  return {
    name,
    via,
    prepare(history) {
      const own = steps.encode(history)
      return { run: () => steps.run(own), read: outcome => steps.decode(outcome as Own) }
    },
  }
}

/** Imports by a specifier that the type checker does not follow: the peers may be absent. */
export async function importPeer<Module>(specifier: string): Promise<Module> {
  return (await import(specifier)) as Module
}

/** The name of each called function by call id, for shapes whose results carry it. */
export function namesById(history: Message[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { tool_calls } of history) for (const call of tool_calls ?? []) names.set(call.id, call.function.name)
  return names
}

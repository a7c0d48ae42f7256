import type { Message } from './histories.ts'

/** A function under comparison: antiphon's, or the one that a peer sanitises or validates a history with. */
export interface Subject {
  name: string
  /** Its function that is measured. */
  via: string
  /** The wire in which what it makes is sent. */
  format: Format
  /** Brings a history into the subject's own shape, outside the timed section. `reader` says for whom; a peer has no such notion. */
  prepare(history: Message[], reader: string): Trial
}

export type Format = 'openai-chat' | 'openai-responses' | 'gemini'

export interface Trial {
  /** The timed section. */
  run(): unknown
  /** What came out, back in the openai-chat shape. */
  read(outcome: unknown): Message[]
  /** What the subject was given, and what it made of it, as the wire of its format says it. */
  given: unknown[]
  sent(outcome: unknown): unknown[]
}

interface Steps<Own> {
  /** Throws `Inexpressible` for what the shape has no words for. */
  encode(history: Message[]): Own
  run(own: Own): Own | Promise<Own>
  decode(own: Own): Message[]
  /** The wire it is sent in, where that is not openai-chat. */
  wire?: { format: Format; write(own: Own): unknown[] }
}

/** A subject from its three steps: into its own shape, through its function, and back. */
export function subject<Own>(name: string, via: string, steps: Steps<Own>): Subject {
  const write = steps.wire?.write ?? steps.decode
  return {
    name,
    via,
    format: steps.wire?.format ?? 'openai-chat',
    prepare(history) {
      const own = steps.encode(history)
      return {
        run: () => steps.run(own),
        read: outcome => steps.decode(outcome as Own),
        get given() {
          return write(own)
        },
        sent: outcome => write(outcome as Own),
      }
    },
  }
}

/** A history holds something that a peer's shape cannot say, so that the peer never meets it. */
export class Inexpressible extends Error {}

/** Imports by a specifier that the type checker does not follow: the peers may be absent. */
export async function importPeer<Module>(specifier: string): Promise<Module> {
  return (await import(specifier)) as Module
}

/** The name of the tool that a result is of, for shapes whose results carry it. */
export function resultNames(history: Message[]): (result: Message) => string {
  const names = new Map<string, string>()
  for (const { tool_calls } of history) for (const call of tool_calls ?? []) names.set(call.id, call.function.name)
  return ({ name, tool_call_id }) => name ?? names.get(tool_call_id ?? '') ?? 'search'
}

/** The arguments of a call as the object that most shapes want. */
export function argumentsOf(call: { function: { arguments: string } }): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(call.function.arguments)
  } catch {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Inexpressible('arguments that are no object')
  return value as Record<string, unknown>
}

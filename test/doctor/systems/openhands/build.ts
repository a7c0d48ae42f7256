import { json, text } from './generate.ts'
import { type Log, rendered } from './log.ts'

/** The content of an event in a test, without the fields that all events have. */
export interface Told {
  readonly kind: string
  readonly source: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The number of the event that it hangs on, if that is not the one before it; -1 for an event that is not there. */
  readonly on?: number
}

/** An id that contains the number of its event. */
export const idOf = (number: number): string => `${String(number).padStart(8, '0')}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`

export const system: Told = {
  kind: 'SystemPromptEvent',
  source: 'agent',
  fields: { system_prompt: text('You are OpenHands agent.'), tools: [] },
}

const message = (source: string, role: string, words: string): Told => ({
  kind: 'MessageEvent',
  source,
  fields: {
    llm_message: { role, content: [text(words)], thinking_blocks: [] },
    activated_skills: [],
    extended_content: [],
  },
})

export const user = (words: string): Told => message('user', 'user', words)
export const agent = (words: string): Told => message('agent', 'assistant', words)

/** A call; calls with the same `response` were made together. Without an action it could not be run. */
export const action = (call: string, response = 'r1', isRun = true): Told => ({
  kind: 'ActionEvent',
  source: 'agent',
  fields: {
    thought: [],
    thinking_blocks: [],
    ...(isRun ? { action: { command: call, kind: 'TerminalAction' } } : {}),
    tool_name: 'terminal',
    tool_call_id: call,
    tool_call: { id: call, name: 'terminal', arguments: json({ command: call }), origin: 'completion' },
    llm_response_id: response,
  },
})

/** What a tool saw. `of` is the number of its action. */
export const observation = (call: string, of: number, words = `saw ${call}`): Told => ({
  kind: 'ObservationEvent',
  source: 'environment',
  fields: {
    tool_name: 'terminal',
    tool_call_id: call,
    observation: { content: [text(words)], is_error: false, kind: 'TerminalObservation' },
    action_id: idOf(of),
  },
})

export const error = (call: string, words = 'A restart occurred while this tool was in progress.'): Told => ({
  kind: 'AgentErrorEvent',
  source: 'agent',
  fields: { tool_name: 'terminal', tool_call_id: call, error: words },
})

export const other = (kind: string, fields: Readonly<Record<string, unknown>> = {}): Told => ({
  kind,
  source: 'environment',
  fields,
})

/** Hangs an event on another one than the one before it. */
export const on = (number: number, told: Told): Told => ({ ...told, on: number })

export interface State {
  readonly status?: string
  /** The number of the head; by default the last event. */
  readonly head?: number
  /** An old conversation, without links and head. */
  readonly isLinear?: boolean
}

/** The files of a conversation with these events. */
export function conversation(events: readonly Told[], state: State = {}): Map<string, Buffer> {
  return rendered(logOf(events, state))
}

function logOf(events: readonly Told[], { status = 'idle', head = events.length - 1, isLinear = false }: State): Log {
  const texts = events.map(({ kind, source, fields, on: parent }, number) => {
    const above = parent ?? number - 1
    const link = isLinear || number === 0 ? {} : { parent_id: above < 0 ? idOf(99) : idOf(above) }
    const timestamp = `2026-02-27T08:15:${String(number).padStart(2, '0')}.000000`
    return json({ id: idOf(number), timestamp, source, ...link, ...fields, kind })
  })
  const leaf = isLinear ? {} : { leaf_event_id: idOf(head), head_is_empty: false }
  return { base: json({ id: 'x', execution_status: status, ...leaf, stats: { cost: '@raw:1.0' } }), events: texts }
}

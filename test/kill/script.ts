/** What the model says to an input, step by step: calls, or nothing but words. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** By the first word of the input. Whatever else is said is answered with words. */
const scripts: Readonly<Record<string, readonly (readonly ScriptedCall[])[]>> = {
  plain: [[call('charge')]],
  parallel: [[call('charge', 'first'), call('look'), call('charge', 'second')]],
  approval: [[call('charge'), call('pay', 'approved'), call('pay', 'denied')]],
  steer: [[call('nudge')], [call('charge')]],
  interrupt: [[call('hang')], [call('charge')]],
  stream: [[call('charge'), call('look')]],
  outside: [[call('ask'), call('charge')]],
  asking: [[call('pay', 'approved')]],
  changing: [[call('pay', 'changed')]],
  // The argument is what the agent is told.
  agents: [[call('helper', 'plain'), call('helper', 'asking')]],
}

/** The sorts of input that have a script. */
export const sorts = Object.keys(scripts)

export interface Place {
  /** The words that the model answers. */
  readonly input: string
  readonly calls: readonly ScriptedCall[]
}

interface Message {
  readonly role: string
  readonly content?: unknown
}

/** Where in the script a conversation stands. It is read off the messages, since the process that began may have died. */
export function placeIn(messages: readonly Message[]): Place {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const input = String(messages[last]?.content ?? '')
  const step = messages.slice(last).filter(({ role }) => role === 'assistant').length
  return { input, calls: scripts[sortOf(input)]?.[step] ?? [] }
}

export const sortOf = (input: string): string => input.split(' ')[0]

function call(name: string, item = 'only'): ScriptedCall {
  return { name, arguments: { item } }
}

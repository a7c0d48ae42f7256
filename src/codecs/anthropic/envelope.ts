import { type Body, type Envelope, isFilled, readThinking } from '../envelope.ts'

/** `system` is a text or a list of blocks; `thinking` and `tools` stand beside it. */
export const envelope: Envelope = {
  read: body => ({
    tools: isFilled(body.tools) ? 'declared' : 'none',
    thinking: readThinking(body.thinking),
    system: [],
  }),
  write(body, before, after) {
    const changes: Record<string, unknown> = {}
    if (after.system !== before.system) changes.system = addSystem(body.system, after.system)
    if (typeof after.tools !== 'string') {
      changes.tools = after.tools.map(name => ({ name, input_schema: { type: 'object' } }))
      changes.tool_choice = { type: 'none' }
    }
    if (after.thinking !== before.thinking) changes.thinking = { type: 'disabled' }
    return { ...body, ...changes } satisfies Body
  },
}

function addSystem(before: unknown, words: readonly string[]): unknown {
  if (Array.isArray(before)) return [...before, ...words.map(text => ({ type: 'text', text }))]
  return [...(typeof before === 'string' && before !== '' ? [before] : []), ...words].join('\n\n')
}

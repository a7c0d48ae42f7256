import { isRecord } from '../../core/conversation.ts'
import { type Body, type Envelope, isFilled, readThinking, systemBlocks } from '../shared/envelope.ts'

/** `system` is a text or a list of blocks; `thinking` and `tools` are separate fields. */
export const envelope: Envelope = {
  read: body => ({
    tools: isFilled(body.tools) ? 'declared' : 'none',
    thinking: readThinking(body.thinking),
    system: [],
    // A summary of earlier turns.
    ...(isRecord(body.compaction) ? { reply: 'none' as const } : {}),
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
  // A thread: the provider holds the earlier turns and the tools. The request may contain no new message.
  continues: ({ thread }) => isRecord(thread) && thread.type === 'continue',
}

/** A text as long as only texts are there, and otherwise a list of blocks. */
function addSystem(before: unknown, words: readonly unknown[]): unknown {
  const there =
    before === undefined || before === null || before === '' ? [] : Array.isArray(before) ? before : [before]
  const all = [...there, ...words]
  const isText = !Array.isArray(before) && all.every(word => typeof word === 'string' || isBareText(word))
  if (isText) return all.map(word => (typeof word === 'string' ? word : (word as { text: string }).text)).join('\n\n')
  return systemBlocks(all, text => ({ type: 'text', text }))
}

/** A block with no field except its text. */
const isBareText = (block: unknown): boolean =>
  isRecord(block) && block.type === 'text' && typeof block.text === 'string' && Object.keys(block).length === 2

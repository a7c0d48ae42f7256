import { isRecord } from '../../../core/conversation.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import type { RecordFields } from '../../record-format.ts'

/** Which results answer which calls: a local shell call is answered like a function call. */
export type CallFamily = 'function' | 'custom' | 'search'

/** The properties of a history item that the repair needs: ids, no content. */
export interface RolloutItem {
  /** The index of its record among the pieces of the rollout (`RolloutPiece`); -1 if it is in the rollout that this one was forked from. */
  readonly piece: number
  /** Its index in the history that a compaction replaced everything with; -1 in a record of its own. */
  readonly inner: number
  readonly kind: 'call' | 'result' | 'reasoning' | 'words' | 'other'
  readonly family?: CallFamily
  /** Empty if it has none. */
  readonly callId?: string
  /** A hash of the item id, with rare collisions; 0 if it has none. */
  readonly itemHash: number
  /** The id of a call's item, if it has no other. */
  readonly itemId?: string
  /** A user message: a turn begins. */
  readonly isBoundary?: true
  /** A warning of Codex, stored as a user message, which may be between a call and its result. */
  readonly isWarning?: true
  /** Text that Codex itself adds before a turn. */
  readonly isContext?: true
  /** Output of the model. */
  readonly isOfModel?: true
  /** A call of the local shell. */
  readonly isShell?: true
  /** A result that only says that there is none. */
  readonly isPlaceholder?: true
  /** Intermediate output of a running tool, in addition to the result. */
  readonly isExtra?: true
}

/** The item in the payload of a record; undefined if Codex ignores it. */
export function rolloutItemOf(payload: unknown, piece: number, inner = -1): RolloutItem | undefined {
  if (!isRecord(payload) || typeof payload.type !== 'string') return undefined
  const type = payload.type
  const place = { piece, inner, itemHash: typeof payload.id === 'string' ? hashOf(payload.id) : 0 }
  const call = calls[type]
  if (call) return isWhole(payload, call.demands) ? { ...place, ...callOf(payload, call.family) } : undefined
  const result = results[type]
  if (result) return isWhole(payload, result.demands) ? { ...place, ...resultOf(payload, result.family) } : undefined
  if (type === 'message') return payload.role === 'system' ? undefined : { ...place, ...wordsOf(payload) }
  if (type === 'agent_message') return { ...place, kind: 'words', isBoundary: true }
  if (type === 'reasoning') return { ...place, kind: 'reasoning', isOfModel: true }
  return sent.has(type) ? { ...place, kind: 'other', isOfModel: true } : undefined
}

interface Kind {
  readonly family: CallFamily
  /** A record without one of these is ignored. */
  readonly demands: readonly string[]
}

/** Without a prototype, like everything that is looked up by text from a file: the text may be `constructor`. */
export const calls: Readonly<Record<string, Kind | undefined>> = Object.assign(Object.create(null), {
  function_call: { family: 'function', demands: ['name', 'arguments', 'call_id'] },
  local_shell_call: { family: 'function', demands: ['status', 'action'] },
  custom_tool_call: { family: 'custom', demands: ['name', 'input', 'call_id'] },
  tool_search_call: { family: 'search', demands: ['execution', 'arguments'] },
} satisfies Record<string, Kind>)

export const results: Readonly<Record<string, Kind | undefined>> = Object.assign(Object.create(null), {
  function_call_output: { family: 'function', demands: ['output'] },
  custom_tool_call_output: { family: 'custom', demands: ['output'] },
  tool_search_output: { family: 'search', demands: ['status', 'execution', 'tools'] },
} satisfies Record<string, Kind>)

const sent: ReadonlySet<string> = new Set([
  'web_search_call',
  'image_generation_call',
  'compaction',
  'compaction_summary',
  'context_compaction',
])

const isWhole = (payload: RecordFields, demands: readonly string[]): boolean =>
  demands.every(key => payload[key] != null)

const idOf = ({ call_id: id }: RecordFields): string => (typeof id === 'string' ? id : '')

type Said = Omit<RolloutItem, 'piece' | 'inner' | 'itemHash'>

function callOf(payload: RecordFields, family: CallFamily): Said {
  // A search that the provider ran itself has no call id, and needs none.
  if (family === 'search' && payload.execution === 'server') return { kind: 'other', isOfModel: true }
  const callId = idOf(payload)
  const itemId = callId === '' && typeof payload.id === 'string' && payload.id !== '' ? { itemId: payload.id } : {}
  const isShell = payload.type === 'local_shell_call' ? { isShell: true as const } : {}
  return { kind: 'call', family, callId, isOfModel: true, ...isShell, ...itemId }
}

function resultOf(payload: RecordFields, family: CallFamily): Said {
  if (family === 'search' && payload.execution === 'server') return { kind: 'other' }
  const content = payload.output
  const isShort = typeof content === 'string' && content.length < 600
  const result = { kind: 'result', id: '', content, callKind: 'function', by: 'client' } as const
  return {
    kind: 'result',
    family,
    callId: idOf(payload),
    ...(isShort && isPlaceholder(result) ? { isPlaceholder: true as const } : {}),
    ...(family === 'custom' && typeof payload.name === 'string' ? { isExtra: true as const } : {}),
  }
}

function wordsOf({ role, content }: RecordFields): Said {
  if (role === 'assistant') return { kind: 'words', isOfModel: true }
  const texts = Array.isArray(content) ? content.flatMap(textOf) : []
  if (role === 'developer') return { kind: 'words', ...(texts.some(isOfDeveloper) ? { isContext: true as const } : {}) }
  if (role !== 'user') return { kind: 'words' }
  if (texts.some(isOfCodex)) return { kind: 'words', isContext: true }
  return { kind: 'words', isBoundary: true, ...(texts[0]?.startsWith('Warning: ') ? { isWarning: true as const } : {}) }
}

const textOf = (part: unknown): string[] =>
  isRecord(part) && part.type === 'input_text' && typeof part.text === 'string' ? [part.text] : []

const isOfDeveloper = (text: string): boolean => developerContext.test(text)

const developerContext =
  /^\s*<(permissions instructions|model_switch|collaboration_mode|multi_agent_mode|realtime_conversation|skills_instructions|plugins_instructions|environments_instructions|personality_spec|token_budget|context_window|context_window_guidance|rollout_budget)>/i

/** User messages that no user wrote: they begin no turn. */
const isOfCodex = (text: string): boolean => {
  const words = text.trim()
  return fragments.some(
    ([start, end]) => startsWith(words, start) && words.slice(-end.length).toLowerCase() === end.toLowerCase(),
  )
}

const startsWith = (text: string, start: string): boolean =>
  text.slice(0, start.length).toLowerCase() === start.toLowerCase()

const fragments: readonly (readonly [string, string])[] = [
  ['# AGENTS.md instructions for ', '</INSTRUCTIONS>'],
  ['<user_instructions>', '</user_instructions>'],
  ['<environment_context>', '</environment_context>'],
  ['<skill>', '</skill>'],
  ['<user_shell_command>', '</user_shell_command>'],
  ['<turn_aborted>', '</turn_aborted>'],
  ['<subagent_notification>', '</subagent_notification>'],
  ['<hook_prompt', '</hook_prompt>'],
]

/** A positive number of 31 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 2) + 1
}

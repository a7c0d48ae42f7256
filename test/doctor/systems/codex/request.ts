import { type Files, type Json, readRollout } from './rollout.ts'

export interface Request {
  readonly model: unknown
  readonly instructions: unknown
  readonly input: readonly Json[]
  readonly store: false
}

/** Some versions of Codex send the ids of items along, others leave them out. Old ones repaired nothing. */
export interface Version {
  readonly ids?: 'sent' | 'left out'
  readonly normalizes?: boolean
}

/** The next request that Codex makes from a rollout, as its own code builds it. */
export function requestOf(files: Files, path: string, { ids = 'sent', normalizes = true }: Version = {}): Request {
  const { meta, records } = readRollout(files, path)
  const history = historyOf(records)
  const input = (normalizes ? normalized(history) : history).map(item => onWire(item, ids))
  const context = records.findLast(({ type }) => type === 'turn_context')?.payload as Json | undefined
  const instructions = (meta.base_instructions as Json | undefined)?.text
  return { model: context?.model, instructions, input, store: false }
}

function onWire({ internal_chat_message_metadata_passthrough: _, ...item }: Json, ids: 'sent' | 'left out'): Json {
  const { id: __, ...bare } = item
  return ids === 'sent' ? item : bare
}

/** The newest base that was not rolled back, and what was recorded since. */
export function historyOf(records: readonly Json[]): Json[] {
  const { base, start } = newestBase(records)
  let history = base ? [...base] : []
  for (const { type, payload } of records.slice(start) as { type: string; payload: Json }[]) {
    if (type === 'response_item') history.push(...[payload].filter(isSent))
    else if (type === 'inter_agent_communication') history.push(agentMessage(payload))
    else if (type === 'compacted') history = replacement(payload) ? history : rebuilt(history, payload)
    else if (isEvent(type, payload, 'thread_rolled_back')) history = rolledBack(history, Number(payload.num_turns))
  }
  return history
}

/** A compaction whose turn was rolled back is not a base. */
function newestBase(records: readonly Json[]): { base: readonly Json[] | undefined; start: number } {
  let base: readonly Json[] | undefined
  let start = 0
  let skipped = 0
  let turn: { id?: unknown; isOfUser: boolean; base?: readonly Json[]; start?: number } | undefined
  const close = (): void => {
    if (!turn) return
    if (skipped > 0) skipped -= turn.isOfUser ? 1 : 0
    else {
      base = turn.base
      start = turn.start ?? 0
    }
    turn = undefined
  }
  for (let index = records.length - 1; index >= 0 && !base; index--) {
    const { type, payload } = records[index] as { type: string; payload: Json }
    const opened = (): NonNullable<typeof turn> => (turn ??= { isOfUser: false })
    if (type === 'compacted') {
      const history = replacement(payload)
      if (opened().base === undefined && history) {
        opened().base = history
        opened().start = index + 1
      }
    } else if (isEvent(type, payload, 'thread_rolled_back')) skipped += Number(payload.num_turns)
    else if (isEvent(type, payload, 'task_complete', 'turn_complete')) opened().id ??= payload.turn_id
    else if (isEvent(type, payload, 'turn_aborted')) {
      if (turn || payload.turn_id) opened().id ??= payload.turn_id
    } else if (isEvent(type, payload, 'user_message') || type === 'inter_agent_communication') opened().isOfUser = true
    else if (type === 'turn_context') opened().id ??= payload.turn_id
    else if (type === 'response_item') opened().isOfUser ||= isBoundary(payload)
    else if (isEvent(type, payload, 'task_started', 'turn_started')) {
      if (turn && (turn.id === undefined || turn.id === payload.turn_id)) close()
    }
  }
  close()
  return { base, start }
}

const isEvent = (type: string, payload: Json, ...names: string[]): boolean =>
  type === 'event_msg' && names.includes(String(payload.type))

const isGhost = ({ type }: Json): boolean => type === 'ghost_snapshot'

const replacement = ({ replacement_history: history }: Json): Json[] | undefined =>
  Array.isArray(history) ? history.filter(item => !isGhost(item)) : undefined

/** Old compactions store only their summary: the user's text is kept. */
function rebuilt(history: readonly Json[], { message }: Json): Json[] {
  const words = history.filter(item => item.role === 'user' && isBoundary(item))
  return [...words, { type: 'message', role: 'user', content: [{ type: 'input_text', text: message }] }]
}

const agentMessage = ({ content, author }: Json): Json => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: JSON.stringify({ author, content }) }],
})

function rolledBack(history: readonly Json[], turns: number): Json[] {
  const starts = history.flatMap((item, index) => (isBoundary(item) ? [index] : []))
  if (turns === 0 || starts.length === 0) return [...history]
  let cut = starts.at(-turns) ?? starts[0]
  while (cut > starts[0] && isContext(history[cut - 1])) cut--
  return history.slice(0, cut)
}

const kinds = new Set(
  (
    'message agent_message function_call function_call_output tool_search_call tool_search_output custom_tool_call ' +
    'custom_tool_call_output local_shell_call reasoning web_search_call image_generation_call compaction context_compaction'
  ).split(' '),
)

const isSent = (item: Json): boolean => kinds.has(String(item.type)) && item.role !== 'system'

const isBoundary = (item: Json): boolean =>
  item.type === 'agent_message' || (item.type === 'message' && item.role === 'user' && !isContext(item))

const fragments: readonly (readonly [string, string])[] = [
  ['# AGENTS.md instructions for ', '</INSTRUCTIONS>'],
  ['<environment_context>', '</environment_context>'],
  ['<skill>', '</skill>'],
  ['<user_shell_command>', '</user_shell_command>'],
  ['<turn_aborted>', '</turn_aborted>'],
  ['<subagent_notification>', '</subagent_notification>'],
]

/** What Codex itself adds as user or developer text, to describe where it works. */
function isContext({ type, role, content }: Json): boolean {
  if (type !== 'message' || !Array.isArray(content)) return false
  const texts = content.flatMap(({ type, text }) => (type === 'input_text' ? [String(text).trim()] : []))
  if (role === 'developer') return texts.some(text => text.startsWith('<permissions instructions>'))
  return role === 'user' && texts.some(text => fragments.some(([start, end]) => within(text, start, end)))
}

const within = (text: string, start: string, end: string): boolean => text.startsWith(start) && text.endsWith(end)

/** Every call gets a result and every result has a call, by their ids alone, at any place. */
function normalized(history: readonly Json[]): Json[] {
  const answered = (item: Json): boolean => history.some(other => isResultOf(other, item))
  const whole = history.flatMap(item => {
    const made = answerTo(item)
    return made && !answered(item) ? [item, made] : [item]
  })
  return whole.filter(item => !isOrphan(item, whole))
}

const results: Record<string, string> = {
  function_call: 'function_call_output',
  local_shell_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  tool_search_call: 'tool_search_output',
}

const isResultOf = (item: Json, call: Json): boolean =>
  item.type === results[String(call.type)] && item.call_id === call.call_id

function answerTo({ type, call_id: id }: Json): Json | undefined {
  const answer = results[String(type)]
  if (answer === undefined || typeof id !== 'string') return undefined
  if (type === 'tool_search_call')
    return { type: answer, call_id: id, status: 'completed', execution: 'client', tools: [] }
  return { type: answer, call_id: id, output: 'aborted' }
}

function isOrphan(item: Json, history: readonly Json[]): boolean {
  if (!Object.values(results).includes(String(item.type))) return false
  if (item.type === 'tool_search_output' && (item.execution === 'server' || item.call_id == null)) return false
  return !history.some(call => typeof call.call_id === 'string' && isResultOf(item, call))
}

import type { Checkpoint, PendingWrite } from '@langchain/langgraph-checkpoint'

/** What LangGraph reports of the run that something belongs to. */
export interface Runtime {
  readonly configurable?: Readonly<Record<string, unknown>>
  readonly writer?: unknown
  readonly signal?: AbortSignal
}

/**
 * Objects that identify a run, made by LangGraph. It passes its writer on to its nodes; a graph that a tool invokes has its
 * own writer, and identifies the outermost run by its abort signal.
 */
export function runKeys({ writer, signal, configurable = {} }: Runtime): object[] {
  const { externalAbortSignal } = Object(configurable.__pregel_abort_signals) as { externalAbortSignal?: unknown }
  return [writer, externalAbortSignal ?? signal].filter(key => key instanceof Object)
}

/** Whether something happens inside of a task of a run. */
export const isInTask = ({ configurable = {} }: Runtime): boolean => '__pregel_read' in configurable

/** The checkpoints that a task belongs to: that of its graph, and those of the graphs around it. */
export const checkpointsOf = ({ configurable }: Runtime): string[] =>
  Object.values(configurable?.checkpoint_map ?? {}).filter(id => typeof id === 'string')

/** Whether a run reads its initial state. Subgraphs belong to the run, and other readers only read. */
export const isStart = (runtime: Runtime): boolean => typeof runtime.writer === 'function' && !isInTask(runtime)

/** Whether a graph has nothing to do after this checkpoint, as far as it shows. */
export const isFinal = ({ channel_values }: Pick<Checkpoint, 'channel_values'>): boolean =>
  !Object.entries(channel_values).some(([channel, value]) => {
    if (channel === '__pregel_tasks') return Array.isArray(value) && value.length > 0
    return channel === '__start__' || channel.startsWith('branch:to:') || isJoined(channel, value)
  })

/** Whether all branches that a node waits for are there: they are in the name of the channel, as in `join:a+b:c`. */
function isJoined(channel: string, value: unknown): boolean {
  if (!channel.startsWith('join:') || !Array.isArray(value)) return false
  const names = channel.slice('join:'.length, channel.lastIndexOf(':')).split('+')
  const seen = Array.isArray(value[0]) ? value[0] : value
  return seen.length >= names.length
}

/** What a task writes when its run ends here: it failed, or it interrupts for a person. */
export const endChannels = new Set(['__error__', '__interrupt__'])

/**
 * Whether these writes are the value of `Command({ resume })`, which answers whatever interrupt waits. An answer by the id of its interrupt
 * has a task of its own.
 */
export const isAnswer = (namespace: string, writes: readonly PendingWrite[], task: string): boolean =>
  namespace === '' && task === noTask && writes.some(([channel]) => channel === '__resume__')

/** LangGraph's id for what comes from outside of the graph. */
const noTask = '00000000-0000-0000-0000-000000000000'

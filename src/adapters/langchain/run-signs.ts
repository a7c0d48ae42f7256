import type { RunnableConfig } from '@langchain/core/runnables'
import type { Checkpoint } from '@langchain/langgraph-checkpoint'

/** What a run is known by: an object that LangGraph makes for it and hands on to all that belongs to it. */
export const keyIn = (config: RunnableConfig): object | undefined => {
  const { writer } = config as { writer?: unknown }
  return typeof writer === 'function' ? writer : undefined
}

export const keyOf = (config: RunnableConfig): object => keyIn(config) as object

/** Whether a run reads the state that it starts from. Graphs within it belong to it, and others only look. */
export const isStart = (config: RunnableConfig): boolean =>
  keyIn(config) !== undefined && !('__pregel_read' in (config.configurable ?? {}))

/** Whether a graph has nothing to do after this checkpoint, as far as it shows. */
export const isFinal = ({ channel_values }: Checkpoint): boolean =>
  !Object.entries(channel_values).some(([channel, value]) => {
    if (channel === '__pregel_tasks') return Array.isArray(value) && value.length > 0
    return channel === '__start__' || channel.startsWith('branch:to:') || isJoined(channel, value)
  })

/** Whether all branches are there that a node waits for: the channel is named by them, as in `join:a+b:c`. */
function isJoined(channel: string, value: unknown): boolean {
  if (!channel.startsWith('join:') || !Array.isArray(value)) return false
  const names = channel.slice('join:'.length, channel.lastIndexOf(':')).split('+')
  const seen = Array.isArray(value[0]) ? value[0] : value
  return seen.length >= names.length
}

/** What a task writes when its run ends here: it failed, or it asks a person. */
export const lastWords = new Set(['__error__', '__interrupt__'])

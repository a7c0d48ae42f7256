import { isRecord } from '../../core/conversation.ts'
import type { CallPlace } from '../entry.ts'

/** The calls that wait or waited for an agent, from the data of `call-park` entries. Data that cannot be read are ignored, so that a damaged thread can be erased. */
export const agentCallsIn = (texts: Iterable<string>): CallPlace[] => Array.from(texts, placeIn).flat()

function placeIn(text: string): CallPlace[] {
  try {
    const { why, call }: Record<string, unknown> = JSON.parse(text)
    if (why !== 'agent' || !isRecord(call)) return []
    return [{ step: Number(call.step), index: Number(call.index) }]
  } catch {
    return []
  }
}

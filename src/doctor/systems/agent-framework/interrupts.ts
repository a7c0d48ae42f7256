import { isRecord } from '../../../core/conversation.ts'

/** The ids of calls in the interrupts of a snapshot: a person has to decide on them. */
export function waitingCalls(interrupt: unknown): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const entry of Array.isArray(interrupt) ? interrupt : [interrupt]) {
    if (!isRecord(entry)) continue
    const metadata = isRecord(entry.metadata) ? entry.metadata.agent_framework : undefined
    for (const place of [entry, entry.value, metadata, isRecord(metadata) ? metadata.value : undefined]) {
      if (!isRecord(place)) continue
      const call = isRecord(place.function_call) ? place.function_call : place.functionCall
      const named = isRecord(call) ? [call.call_id, call.callId, call.id] : []
      for (const id of [place.id, place.interruptId, place.toolCallId, place.tool_call_id, ...named])
        if (typeof id === 'string') ids.add(id)
    }
  }
  return ids
}

/**
 * The name of the thread in which the agent of a call works. It is made from the name of its parent and the id of the call, so that every
 * process finds the same thread.
 */
export const childName = (parent: string, callId: string): string => `${parent}${separator}${callId}`

/** The thread and the call that an agent's thread belongs to; undefined for any other name. */
export function parentOf(name: string): { readonly parent: string; readonly callId: string } | undefined {
  const at = name.lastIndexOf(separator)
  const callId = name.slice(at + separator.length)
  return at > 0 && isCallId.test(callId) ? { parent: name.slice(0, at), callId } : undefined
}

/** How many agents are above the thread: 0 if it is not an agent's. */
export function depthOf(name: string): number {
  const place = parentOf(name)
  return place ? depthOf(place.parent) + 1 : 0
}

const separator = '/agent:'
const isCallId = /^[^/]+-\d+-\d+$/

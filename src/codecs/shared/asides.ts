import type { Conversation, Message } from '../../core/conversation.ts'

/**
 * Puts the asides of a conversation back between its written messages, one for each of `messages`. An aside stands behind
 * the last message in front of it that is still there, by itself or merged into another, and has not moved away; with
 * none left, it stands first. So asides keep their order, and none goes back to what is long past.
 *
 * Only results and words of the system move: `anchor` is the last message that cannot, and `ends` has, behind each place,
 * the place of the next such message. What stands in between has not moved away.
 */
export function weave(
  written: unknown[],
  messages: readonly Message[],
  { messages: read, asides = [] }: Conversation,
  history: readonly unknown[],
): unknown[] {
  if (asides.length === 0) return written
  const places = placesOf(messages)
  const ends = nextAnchors(messages)
  const behind = new Map<number, unknown[]>()
  let anchor = -1
  let place = -1
  let next = 0
  for (const aside of asides) {
    for (; next < read.length && (read[next].origin as number) < aside; next++) {
      const now = places.get(read[next].origin as number) ?? -1
      if (now <= place) continue
      if (isAnchor(messages[now])) anchor = now
      if (now < ends[anchor + 1]) place = now
    }
    const company = behind.get(place)
    if (company) company.push(history[aside])
    else behind.set(place, [history[aside]])
  }
  const woven = behind.get(-1) ?? []
  for (const [index, message] of written.entries()) {
    woven.push(message)
    for (const aside of behind.get(index) ?? []) woven.push(aside)
  }
  return woven
}

/** Where each message that was read stands now. */
function placesOf(messages: readonly Message[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const [index, { origin, merged = [] }] of messages.entries()) {
    if (origin !== undefined) places.set(origin, index)
    for (const other of merged) places.set(other, index)
  }
  return places
}

/** For each place, and before it for the front, the place of the next anchor behind it. */
function nextAnchors(messages: readonly Message[]): Int32Array {
  const next = new Int32Array(messages.length + 1).fill(messages.length)
  for (let index = messages.length - 1; index >= 0; index--) {
    next[index] = isAnchor(messages[index]) ? index : next[index + 1]
  }
  return next
}

const isAnchor = ({ role, origin }: Message): boolean => origin !== undefined && role !== 'tool' && role !== 'system'

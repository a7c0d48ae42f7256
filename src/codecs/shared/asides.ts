import type { Conversation, Message } from '../../core/conversation.ts'

/**
 * Puts the asides of a conversation back between its written messages, one for each of `messages`. An aside follows the
 * nearest earlier message that is still there, alone or merged into another, and has not moved away; if none is left, the
 * aside comes first. So asides keep their order and never follow a message of an earlier turn.
 *
 * Only results and system messages move: `anchor` is the last message that cannot, and `nextAnchor` gives, for each place,
 * the place of the next such message. Messages in between have not moved away.
 */
export function insertAsides(
  written: unknown[],
  messages: readonly Message[],
  { messages: read, asides = [] }: Conversation,
  history: readonly unknown[],
): unknown[] {
  if (asides.length === 0) return written
  const places = placesOf(messages)
  const nextAnchor = nextAnchors(messages)
  const asidesAfter = new Map<number, unknown[]>()
  let anchor = -1
  let place = -1
  let next = 0
  for (const aside of asides) {
    for (let message = read[next]; message && (message.origin as number) < aside; message = read[++next]) {
      const now = places.get(message.origin as number) ?? -1
      if (now <= place) continue
      if (isAnchor(messages[now])) anchor = now
      if (now < nextAnchor(anchor + 1)) place = now
    }
    const following = asidesAfter.get(place)
    if (following) following.push(history[aside])
    else asidesAfter.set(place, [history[aside]])
  }
  const woven = asidesAfter.get(-1) ?? []
  for (const [index, message] of written.entries()) {
    woven.push(message)
    for (const aside of asidesAfter.get(index) ?? []) woven.push(aside)
  }
  return woven
}

/** The current place of each message that was read. */
function placesOf(messages: readonly Message[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const [index, { origin, merged = [] }] of messages.entries()) {
    if (origin !== undefined) places.set(origin, index)
    for (const other of merged) places.set(other, index)
  }
  return places
}

/** From each place on, the place of the first anchor; the number of messages if none follows. */
function nextAnchors(messages: readonly Message[]): (from: number) => number {
  const next = new Int32Array(messages.length)
  let latest = messages.length
  for (let index = messages.length - 1; index >= 0; index--) {
    if (isAnchor(messages[index])) latest = index
    next[index] = latest
  }
  return from => next[from] ?? messages.length
}

const isAnchor = (message: Message | undefined): boolean =>
  message?.origin !== undefined && message.role !== 'tool' && message.role !== 'system'

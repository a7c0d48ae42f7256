import type { Conversation, Message } from '../../../core/conversation.ts'
import { type Edit, front, type MessagePlace } from '../../../core/edit.ts'
import { equal } from '../../../core/json/equal.ts'
import type { Repair } from '../../../core/rules/repair.ts'

/**
 * The repairs of a request with edits for all of them, by the keys of `before`. The first `limits` repairs are those of limits: they change the
 * JSON of the request and have no edits, so they get the differences between the messages `before` and `after` them. The edits of the other
 * repairs have the keys of `after`, which are replaced.
 */
export function withLimitEdits(
  before: Conversation,
  after: Conversation,
  repairs: readonly Repair[],
  limits: number,
): Repair[] {
  const { edits, keys } = differences(before, after)
  const editsByRepair = new Map<Repair, Edit[]>()
  const owners = new EditOwners(repairs.slice(0, limits))
  for (const { edit, place } of edits) {
    const owner = owners.ownerOf(place)
    if (!owner) continue
    const own = editsByRepair.get(owner)
    if (own) own.push(edit)
    else editsByRepair.set(owner, [edit])
  }
  return repairs.map((repair, index) =>
    index < limits
      ? { ...repair, edits: editsByRepair.get(repair) ?? [] }
      : { ...repair, edits: repair.edits.map(edit => rekeyed(edit, keys)) },
  )
}

interface PlacedEdit {
  readonly edit: Edit
  /** Where it is, as diagnostics write it; undefined for an edit that adds or removes a message. */
  readonly place: string | undefined
}

/** The edits from one list to the other, and the key in the first for each key of the second. */
function differences(
  before: Conversation,
  after: Conversation,
): { edits: PlacedEdit[]; keys: (key: number) => number } {
  const edits: PlacedEdit[] = []
  const keys: number[] = []
  const [old, now] = [before.messages, after.messages]
  let fresh = old.length
  let last: MessagePlace = front
  let at = 0
  const remove = (message: Message): void => {
    edits.push({ edit: { kind: 'remove', after: last, message }, place: undefined })
  }
  for (const [index, message] of now.entries()) {
    // Repairs of limits keep the order. A message with another role was added, or the one before it was removed.
    while (old.length - at > now.length - index && old[at]?.role !== message.role) remove(old[at++] as Message)
    const same = old[at]?.role === message.role ? old[at++] : undefined
    const key: number = same?.key ?? fresh++
    keys.push(key)
    if (same) for (const change of changesOf(same, { ...message, key }, before.format)) edits.push(change)
    else edits.push({ edit: { kind: 'insert', after: last, message: { ...message, key } }, place: undefined })
    last = key
  }
  for (const message of old.slice(at)) remove(message)
  return { edits, keys: key => keys[key] ?? (key === front ? front : key - now.length + fresh) }
}

/** The edits that change one message: one for each part, if nothing else is different. */
function changesOf(before: Message, after: Message, format: Conversation['format']): PlacedEdit[] {
  const outside = ({ parts: _, origin: __, ...rest }: Message): unknown => rest
  if (before.parts.length !== after.parts.length || !equal(outside(before), outside(after)))
    return [{ edit: { kind: 'replace', before, after }, place: format.locate(before) }]
  return before.parts.flatMap((part, index) => {
    const now = after.parts[index]
    if (!now || equal(part, now)) return []
    const edit: Edit = { kind: 'rewrite', key: before.key, index, before: part, after: now }
    return [{ edit, place: format.locate(before, part) }]
  })
}

/** Finds the repair that an edit belongs to: one at its place, one in its message, or else the first. */
class EditOwners {
  readonly #first: Repair | undefined
  readonly #byMessage = new Map<string, Repair[]>()

  constructor(repairs: readonly Repair[]) {
    this.#first = repairs.find(({ at }) => messageIn(at) !== undefined) ?? repairs[0]
    for (const repair of repairs) {
      const name = messageIn(repair.at) ?? ''
      const known = this.#byMessage.get(name)
      if (known) known.push(repair)
      else this.#byMessage.set(name, [repair])
    }
  }

  /** Edits that add or remove messages belong together, since each names the message before it. */
  ownerOf(place: string | undefined): Repair | undefined {
    if (place === undefined) return this.#first
    const inMessage = this.#byMessage.get(messageIn(place) ?? '') ?? []
    return inMessage.find(({ at }) => at === place || at.startsWith(`${place}.`)) ?? inMessage[0] ?? this.#first
  }
}

const messageIn = (place: string): string | undefined => /^\w+\[\d+\]/.exec(place)?.[0]

function rekeyed(edit: Edit, keyOf: (key: number) => number): Edit {
  const renamed = (message: Message): Message => ({ ...message, key: keyOf(message.key) })
  switch (edit.kind) {
    case 'insert':
    case 'remove':
      return { ...edit, after: keyOf(edit.after), message: renamed(edit.message) }
    case 'move':
      return { ...edit, key: keyOf(edit.key), from: keyOf(edit.from), to: keyOf(edit.to) }
    case 'replace':
      return { ...edit, before: renamed(edit.before), after: renamed(edit.after) }
    case 'rewrite':
      return { ...edit, key: keyOf(edit.key) }
    case 'set':
      return edit
  }
}

import {
  asRecord,
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { isUntouched, type MessageGroup, sharedMessages } from '../shared/message-groups.ts'
import { fieldsAround, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { isError } from './decode.ts'
import { fieldValue, hasMoreThanText, isThere, type Key, type KeyCase, keyCaseOf, keys } from './keys.ts'

/**
 * Writes neighbours that share a turn together, unchanged if nothing in it was changed. Made-up parts use the key case of
 * their own turn, of the nearest earlier part that shows one, or else of the first later one.
 */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  let keyCase: KeyCase | undefined
  return sharedMessages(messages).map(group => {
    const before = history[group[0].origin ?? -1]
    keyCase = keyCaseIn(group) ?? keyCase
    if (isUntouched(group, decoded)) return before
    keyCase ??= keyCaseIn(messages) ?? 'camel'
    return unlessEqual(before, encodeGroup(group, history, keyCase))
  })
}

function keyCaseIn(messages: readonly Message[]): KeyCase | undefined {
  for (const { parts } of messages) {
    for (const { raw } of parts) {
      const keyCase = keyCaseOf(raw)
      if (keyCase) return keyCase
    }
  }
  return undefined
}

type Raw = Readonly<Record<string, unknown>>

function encodeGroup(group: Readonly<MessageGroup>, history: readonly unknown[], keyCase: KeyCase): unknown {
  const [{ role, origin }] = group
  if (role === 'other') return history[origin as number]
  const raw = fieldsAround(group, history)
  const parts = group.flatMap(message => message.parts)
  const written = { ...raw, role: encodeRole(group, history), parts: encodeParts(parts, raw.parts, keyCase) }
  if (written.role !== undefined) return written
  const { role: _, ...withoutRole } = written
  return withoutRole
}

/** A list, unless the message had a single text or part in its place. */
function encodeParts(parts: readonly Part[], before: unknown, keyCase: KeyCase): unknown {
  const [first] = parts
  const isOne = parts.length === 1
  if (isOne && typeof before === 'string' && first?.kind === 'text' && first.raw === undefined) return first.text
  const encoded = parts.map(part => encodePart(part, keyCase))
  return isOne && isRecord(before) ? encoded[0] : encoded
}

/** The format's own name for the role, unless another one is accepted. */
function encodeRole(group: Readonly<MessageGroup>, history: readonly unknown[]): unknown {
  const kept = group.find(({ role, roleName }) => role === 'system' || roleName === 'tolerated')
  if (kept?.origin !== undefined) return asRecord(history[kept.origin]).role
  if (kept) return 'system'
  return group[0].role === 'assistant' ? 'model' : 'user'
}

function encodePart(part: Part, keyCase: KeyCase): unknown {
  switch (part.kind) {
    case 'text':
      return encodeText(part)
    case 'call':
      return encodeCall(part, keyCase)
    case 'result':
      return encodeResult(part, keyCase)
    case 'reasoning':
      return part.raw ?? { text: part.text, thought: true }
    case 'other':
      return isQuoted(part) ? { text: JSON.stringify(part.raw) } : part.raw
  }
}

/** The output of a tool that is no longer in a result. */
const isQuoted = ({ raw, slot }: Part): boolean => slot === undefined && isRecord(raw) && !hasMoreThanText(raw)

function encodeText({ raw, text: words }: TextPart): unknown {
  if (typeof raw === 'string') return words
  if (isRecord(raw)) return text(raw.text) === words ? raw : { ...raw, text: words }
  return raw === null && words === '' ? null : { text: words }
}

function encodeCall(part: CallPart, keyCase: KeyCase): unknown {
  const { id, name, input, signature } = part
  if (!isRecord(part.raw)) {
    const call = { ...(id === '' ? {} : { id }), name, args: input }
    return {
      [keys.call[keyCase]]: call,
      ...(signature === undefined ? {} : { [keys.signature[keyCase]]: signature }),
    }
  }
  const called = asRecord(fieldValue(part.raw, keys.call))
  const isSigned = text(fieldValue(part.raw, keys.signature)) === (signature ?? '')
  return overlay(
    within(part.raw, keys.call, [
      isId(called.id, part) ? {} : { id },
      text(called.name) === name ? {} : { name },
      equal(called.args ?? {}, input) ? {} : { args: input },
    ]),
    isSigned ? {} : { [keys.signature[keyCaseOf(part.raw) ?? keyCase]]: signature },
  )
}

function encodeResult(part: ResultPart, keyCase: KeyCase): unknown {
  const { id, name, content, malformed } = part
  if (!isRecord(part.raw)) {
    const result = {
      ...(id === '' ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      response: encodeResponse(part),
    }
    return { [keys.result[keyCase]]: result }
  }
  const answered = asRecord(fieldValue(part.raw, keys.result))
  const isSame = equal(answered.response, content) && (isRecord(content) || !isThere(content) || malformed)
  return within(part.raw, keys.result, [
    isId(answered.id, part) ? {} : { id },
    text(answered.name) === (name ?? '') ? {} : { name },
    isSame ? {} : { response: encodeResponse(part) },
  ])
}

/** A part with changes to the value of one of its keys. */
function within(raw: Raw, key: Key, changes: readonly Raw[]): Raw {
  const before = asRecord(fieldValue(raw, key))
  const after = overlay(before, ...changes)
  return after === before ? raw : { ...raw, [isThere(raw[key.camel]) ? key.camel : key.snake]: after }
}

/** A response is an object: the output of a tool is in it under `output` or `error`. */
function encodeResponse({ content, error }: ResultPart): unknown {
  if (isRecord(content) && (!error || isError(content))) return content
  if (!isThere(content)) return error ? { error: '' } : {}
  return error ? { error: content } : { output: content }
}

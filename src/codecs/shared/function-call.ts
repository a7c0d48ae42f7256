import { type CallPart, isRecord, type OtherPart } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { overlay } from './overlay.ts'
import { isProviderRun } from './scan.ts'
import { idText, isId, numeric, text } from './text.ts'

/**
 * A call in the list of its message, as in chat formats: a function and its arguments, or a custom tool and its input. A
 * value that is not an object is not a call.
 */
export function readCall(raw: unknown, slot: number, field: string): CallPart | OtherPart {
  if (!isRecord(raw)) return { kind: 'other', unreadable: true, field, raw, slot }
  const id = idText(raw.id)
  const ran = { ...numeric(raw.id), ...(isProviderRun(id) ? { providerRun: true as const } : {}) }
  const custom = isRecord(raw.custom) ? raw.custom : undefined
  const called = custom ?? (isRecord(raw.function) ? raw.function : undefined)
  return {
    kind: 'call',
    id,
    name: text(called?.name),
    input: custom ? custom.input : called?.arguments,
    callKind: custom ? 'custom' : 'function',
    by: 'client',
    ...ran,
    raw,
    slot,
  }
}

export function writeCall(part: CallPart): unknown {
  const { id, name, input } = part
  const field = part.callKind === 'custom' ? 'custom' : 'function'
  const argument = part.callKind === 'custom' ? 'input' : 'arguments'
  if (!isRecord(part.raw)) return { id, type: field, [field]: { name, [argument]: input } }
  const before = isRecord(part.raw[field]) ? part.raw[field] : {}
  const called = overlay(
    before,
    text(before.name) === name ? {} : { name },
    equal(before[argument], input) ? {} : { [argument]: input },
  )
  return overlay(part.raw, isId(part.raw.id, part) ? {} : { id }, called === part.raw[field] ? {} : { [field]: called })
}

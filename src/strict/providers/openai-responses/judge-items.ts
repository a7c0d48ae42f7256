import { isReference } from '../../answers/reference.ts'
import type { JsonObject } from '../../json.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { placeOf } from './judge-input.ts'

/** Errors that only the Responses format can have in one item: its id, its role, the format of an output. */
export const itemForms = (items: JsonObject[]): RejectionReason[] =>
  items.flatMap((item, index) => [...idForm(item, index), ...role(item, index), ...screenshot(item, index)])

/** Ids that occur twice, in the input or also in the stored items. */
export function repeatedItems(items: JsonObject[], start: number): RejectionReason[] {
  const seen = new Set<string>()
  return items.flatMap((item, index) => {
    const { id } = item
    if (typeof id !== 'string' || id === '' || isReference(item)) return []
    const isRepeated = seen.has(id) && index >= start
    seen.add(id)
    const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`
    return isRepeated ? [reject('or-dup-item', message, placeOf(index, start), { param: 'input' })] : []
  })
}

function idForm({ id, type }: JsonObject, index: number): RejectionReason[] {
  if (typeof id !== 'string') return []
  const at = `input[${index}]`
  const details = { param: `${at}.id`, code: 'invalid_value' }
  const charset = `Invalid '${at}.id': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`
  if (!/^[\w-]+$/.test(id)) return [reject('or-id-charset', charset, at, details)]
  const found = id.endsWith('_') ? [rejectPedantically('or-id-charset', charset, at, details)] : []
  if (type !== 'function_call' || id.startsWith('fc')) return found
  const prefix = `Invalid '${at}.id': '${id}'. Expected an ID that begins with 'fc'.`
  return [...found, reject('or-id-prefix', prefix, at, details)]
}

function role({ role }: JsonObject, index: number): RejectionReason[] {
  if (role !== 'tool') return []
  const at = `input[${index}]`
  const message = `Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`
  return [reject('or-role-tool', message, at, { param: at, code: 'invalid_value' })]
}

function screenshot({ type, output }: JsonObject, index: number): RejectionReason[] {
  if (type !== 'computer_call_output' || typeof output !== 'string') return []
  const at = `input[${index}]`
  const message = `Invalid type for '${at}.output': expected a computer call output, but got a string instead.`
  return [reject('or-output-type', message, at, { param: `${at}.output`, code: 'invalid_type' })]
}

import { isObject, type JsonObject, stringOf } from '../json.ts'
import { readContent } from '../readers/content.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'

/** What only the Responses wire can get wrong: item ids, what follows reasoning, roles, shapes of outputs. */
export const itemForms = (items: JsonObject[]): Refusal[] => [
  ...repeatedItems(items),
  ...items.flatMap((item, index) => [
    ...idForm(item, index),
    ...role(item, index),
    ...screenshot(item, index),
    ...follower(item, items[index + 1], index),
  ]),
]

function repeatedItems(items: JsonObject[]): Refusal[] {
  const seen = new Set<string>()
  return items.flatMap(({ id, type }, index) => {
    if (typeof id !== 'string' || id === '' || type === 'item_reference') return []
    const isRepeated = seen.has(id)
    seen.add(id)
    const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`
    return isRepeated ? [refuse('or-dup-item', message, `input[${index}]`)] : []
  })
}

function idForm({ id, type }: JsonObject, index: number): Refusal[] {
  if (typeof id !== 'string') return []
  const at = `input[${index}]`
  const charset = `Invalid '${at}.id': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`
  if (!/^[\w-]+$/.test(id)) return [refuse('or-id-charset', charset, at)]
  const found = id.endsWith('_') ? [refusePedantically('or-id-charset', charset, at)] : []
  if (type !== 'function_call' || id.startsWith('fc')) return found
  return [...found, refuse('or-id-prefix', `Invalid '${at}.id': '${id}'. Expected an ID that begins with 'fc'.`, at)]
}

function role({ role }: JsonObject, index: number): Refusal[] {
  if (role !== 'tool') return []
  const message = `Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`
  return [refuse('or-role-tool', message, `input[${index}]`)]
}

function screenshot({ type, output }: JsonObject, index: number): Refusal[] {
  if (type !== 'computer_call_output' || typeof output !== 'string') return []
  const at = `input[${index}]`
  const message = `Invalid type for '${at}.output': expected a computer call output, but got a string instead.`
  return [refuse('or-output-type', message, at)]
}

/** A reasoning item that has its id must be followed by what it was produced with. */
function follower({ id, type }: JsonObject, next: JsonObject | undefined, index: number): Refusal[] {
  if (type !== 'reasoning' || typeof id !== 'string') return []
  const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`
  const fact = 'or-reasoning-no-follow'
  const at = `input[${index}]`
  if (!next || !isOfAssistant(next)) return [refuse(fact, message, at)]
  if (next.type === 'item_reference' || typeof next.id === 'string') return []
  return isEmptyMessage(next) ? [refuse(fact, message, at)] : [refusePedantically(fact, message, at)]
}

const isOfAssistant = ({ type, role }: JsonObject): boolean =>
  role === 'assistant' || type === 'reasoning' || type === 'item_reference' || (stringOf(type) ?? '').endsWith('_call')

function isEmptyMessage(item: JsonObject): boolean {
  if (!isObject(item) || typeof item.role !== 'string') return false
  const { texts, media } = readContent(item.content)
  return !media && texts.join('') === ''
}

/**
 * Copies the messages of a thread for every request, because callers change messages, such as for prompt caching, and those
 * changes must not appear in the next request. The originals never change, so that each message is examined once and its
 * fields that need a copy are remembered. To examine all of them each time costs three times as much.
 */
export class MessageCopier {
  /** The messages of the last copy, and by the same index how to copy them. */
  readonly #messages: unknown[] = []
  readonly #plans: (CopyPlan | undefined)[] = []
  /** Messages with the same structure share one plan. There are few, so they stay in the CPU cache. */
  readonly #byPlaces = new Map<string, CopyPlan>()

  copy(messages: readonly unknown[]): unknown[] {
    const known = this.#messages
    const plans = this.#plans
    const copies: unknown[] = []
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index]
      if (known[index] !== message) {
        known[index] = message
        plans[index] = this.#planFor(message)
      }
      const plan = plans[index]
      copies.push(plan ? copyMessage(message, plan) : message)
    }
    return copies
  }

  /** A copy of a message that is not copied again. */
  copyOne(message: unknown): unknown {
    const plan = this.#planFor(message)
    return plan ? copyMessage(message, plan) : message
  }

  #planFor(value: unknown): CopyPlan | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    if (value instanceof Uint8Array) return flatBytes
    if (Array.isArray(value)) return this.#withNested(flatList, [...value.entries()])
    if (Object.getPrototypeOf(value) !== Object.prototype) return undefined
    return this.#withNested(flatObject, Object.entries(value))
  }

  #withNested(flat: CopyPlan, fields: readonly (readonly [string | number, unknown])[]): CopyPlan {
    const nested: Nested[] = []
    for (const [key, field] of fields) {
      const plan = this.#planFor(field)
      if (plan) nested.push({ key, plan })
    }
    if (nested.length === 0) return flat
    const places = JSON.stringify([flat.kind, ...nested.map(({ key, plan }) => [key, plan.name])])
    const known = this.#byPlaces.get(places)
    const plan = known ?? { kind: flat.kind, nested, name: String(this.#byPlaces.size) }
    if (!known) this.#byPlaces.set(places, plan)
    return plan
  }
}

/** How to copy a value, and which of its fields need a copy too. All other fields are shared. */
interface CopyPlan {
  readonly kind: 'object' | 'list' | 'bytes'
  readonly nested: readonly Nested[]
  /** Unique among the plans of a copier. */
  readonly name: string
}

interface Nested {
  readonly key: string | number
  readonly plan: CopyPlan
}

const flatObject: CopyPlan = { kind: 'object', nested: [], name: 'object' }
const flatList: CopyPlan = { kind: 'list', nested: [], name: 'list' }
const flatBytes: CopyPlan = { kind: 'bytes', nested: [], name: 'bytes' }

type Places = Record<string | number, unknown>

// These four functions do the same, for a message, its fields, the items of its lists, and everything deeper. V8 copies objects
// fast at a call site that has seen few hidden classes, so each level has its own call site.

function copyMessage(message: unknown, plan: CopyPlan): unknown {
  if (plan === flatObject) return { ...(message as Places) }
  if (plan.kind !== 'object') return copyDeep(message, plan)
  const copy = { ...(message as Places) }
  for (const { key, plan: inner } of plan.nested) copy[key] = copyField(copy[key], inner)
  return copy
}

function copyField(field: unknown, plan: CopyPlan): unknown {
  if (plan.kind !== 'list') return copyDeep(field, plan)
  const copy = (field as unknown[]).slice()
  for (const { key, plan: inner } of plan.nested) copy[key as number] = copyItem(copy[key as number], inner)
  return copy
}

function copyItem(item: unknown, plan: CopyPlan): unknown {
  if (plan.kind !== 'object') return copyDeep(item, plan)
  const copy = { ...(item as Places) }
  for (const { key, plan: inner } of plan.nested) copy[key] = copyDeep(copy[key], inner)
  return copy
}

function copyDeep(value: unknown, { kind, nested }: CopyPlan): unknown {
  if (kind === 'bytes') return (value as Uint8Array).slice()
  const copy = (kind === 'list' ? (value as unknown[]).slice() : { ...(value as Places) }) as Places
  for (const { key, plan } of nested) copy[key] = copyDeep(copy[key], plan)
  return copy
}

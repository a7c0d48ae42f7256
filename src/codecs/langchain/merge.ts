import { type Fields, isRecord } from '../../core/conversation.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { text } from '../shared/text.ts'

/**
 * A value that later chunks extend, as the library adds chunks: texts are joined, numbers summed, objects merged field by
 * field, and list entries by index or else by id. A value that cannot be added to the old one replaces it, where the
 * library would throw.
 */
export class Growing {
  #value: GrowingText | Map<string, Growing> | GrowingList | { readonly leaf: unknown } | undefined
  readonly #depth: number

  constructor(depth = 0) {
    this.#depth = depth
  }

  /** `key` is the name of the field that it is. */
  add(value: unknown, key = ''): void {
    if (value === undefined || value === null) return
    const known = this.#value
    if (typeof value === 'string' && known instanceof GrowingText) {
      if (key === 'type' || steady.has(key)) return
      if (!replaced.has(key)) known.add(value)
      else if (value !== '') this.#value = new GrowingText(value)
    } else if (typeof value === 'number' && known && 'leaf' in known && typeof known.leaf === 'number') {
      if (!steady.has(key)) this.#value = { leaf: known.leaf + value }
    } else if (Array.isArray(value) && this.#depth < depthMax) {
      const list = known instanceof GrowingList ? known : new GrowingList(this.#depth)
      for (const item of value) list.add(item)
      this.#value = list
    } else if (isRecord(value) && this.#depth < depthMax) {
      const fields = known instanceof Map ? known : new Map<string, Growing>()
      for (const [name, inner] of Object.entries(value)) {
        const field = fields.get(name) ?? new Growing(this.#depth + 1)
        fields.set(name, field)
        field.add(inner, name)
      }
      this.#value = fields
    } else this.#value = typeof value === 'string' ? new GrowingText(value) : { leaf: value }
  }

  get value(): unknown {
    const known = this.#value
    if (known instanceof GrowingText) return known.text
    if (known instanceof GrowingList) return known.items
    if (!(known instanceof Map)) return known?.leaf
    const fields = [...known].map(([key, field]): [string, unknown] => [key, field.value])
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
}

/** Deeper than anything that is worth adding up. */
const depthMax = 100

/** Fields of which the first value counts. */
const steady: ReadonlySet<string> = new Set(['index', 'created', 'timestamp'])
/** Fields of which the last value counts. */
const replaced: ReadonlySet<string> = new Set([
  ...['id', 'name', 'output_version', 'model_provider', 'model_name', 'model', 'object', 'role', 'status'],
  ...[
    'finish_reason',
    'stop_reason',
    'finishReason',
    'stopReason',
    'done_reason',
    'system_fingerprint',
    'service_tier',
  ],
])

/** Entries that grow: the latest of an index continues, unless its type or its id differs. */
export class GrowingList {
  readonly #depth: number
  readonly #items: Entry[] = []
  readonly #byIndex = new Map<unknown, Entry>()
  readonly #byId = new Map<unknown, Entry>()

  constructor(depth = 0) {
    this.#depth = depth
  }

  add(item: unknown): void {
    const fields: Fields = isRecord(item) ? item : {}
    const known = this.#find(fields)
    if (!known && fields.text === '') return
    const entry = known ?? { type: baseOf(fields.type), id: idOf(fields), value: new Growing(this.#depth + 1) }
    if (!known) this.#items.push(entry)
    if (isIndex(fields.index)) this.#byIndex.set(fields.index, entry)
    else if (entry.id !== undefined) this.#byId.set(entry.id, entry)
    entry.id ??= idOf(fields)
    entry.value.add(item)
  }

  /** Without the index, which only orders the chunks. */
  get items(): unknown[] {
    return this.#items.map(({ value }) => {
      const item = value.value
      if (!isRecord(item) || !isIndex(item.index)) return item
      const { index: _, ...rest } = item
      return rest
    })
  }

  #find(fields: Fields): Entry | undefined {
    const id = idOf(fields)
    if (!isIndex(fields.index)) return id === undefined ? undefined : this.#byId.get(id)
    const entry = this.#byIndex.get(fields.index)
    const isOther = entry === undefined || (entry.id !== undefined && id !== undefined && entry.id !== id)
    return isOther || !isSameType(entry.type, fields.type) ? undefined : entry
  }
}

interface Entry {
  readonly type: string
  id: unknown
  readonly value: Growing
}

const isIndex = (index: unknown): boolean => typeof index === 'number' || typeof index === 'string'

const idOf = ({ id }: Fields): unknown => (id === null || id === '' ? undefined : id)

const baseOf = (type: unknown): string => text(type).replace(/_delta$/, '')

/** The arguments of a call arrive as pieces with a separate type. */
const isSameType = (before: string, type: unknown): boolean =>
  before === '' || text(type) === '' || type === 'input_json_delta' || baseOf(type) === before

import { defaultAllow, type EditClass } from '../choices.ts'
import { isRecord } from '../conversation.ts'
import type { Resize } from '../media/resize.ts'
import type { Diagnostic } from '../rules/check.ts'
import type { Repair } from '../rules/repair.ts'

/** An object of a request that may be changed. */
export type MutableFields = Record<string, unknown>

/** A request that is being repaired as JSON, and what was changed in it. */
export abstract class BodyDraft {
  readonly body: MutableFields
  /** The id of the format of its history. */
  readonly format: string
  readonly repairs: Repair[] = []
  readonly remaining: Diagnostic[] = []
  readonly #allow: ReadonlySet<EditClass>
  /** Makes images smaller, if the caller can. */
  readonly resize: Resize | undefined

  /** The draft changes `body` itself, which is a copy of the caller's unless nothing is allowed. */
  constructor(body: MutableFields, format: string, allow: Iterable<EditClass> = defaultAllow, resize?: Resize) {
    this.body = body
    this.format = format
    this.#allow = new Set(allow)
    this.resize = resize
  }

  get changed(): boolean {
    return this.repairs.length > 0
  }

  /** The diagnostic of a change, without a help. */
  protected abstract diagnose(at: string, message: string): Diagnostic

  /** Makes a change if the caller allows its class; it is in the report either way. */
  change(kind: EditClass, at: string, message: string, apply: () => void): boolean {
    const diagnostic = this.diagnose(at, message)
    if (!this.#allow.has(kind)) {
      this.remaining.push({ ...diagnostic, help: `allow "${kind}" to repair it` })
      return false
    }
    apply()
    this.repairs.push({ ...diagnostic, class: kind, edits: [] })
    return true
  }

  allows(kind: EditClass): boolean {
    return this.#allow.has(kind)
  }

  /** The messages, items or contents. */
  get history(): unknown[] {
    const list = this.body[this.root]
    return Array.isArray(list) ? list : []
  }

  set history(list: unknown[]) {
    this.body[this.root] = list
  }

  get root(): string {
    return rootsByFormat.get(this.format) ?? 'messages'
  }
}

const rootsByFormat: ReadonlyMap<string, string> = new Map([
  ['ai-sdk', 'prompt'],
  ['openai-responses', 'input'],
  ['gemini', 'contents'],
  ['gemini-interactions', 'input'],
])

/** A copy of a JSON value, as deep as it goes; what is neither a list nor a plain object (bytes, exact numbers) is shared. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy: MutableFields = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: copyOf(value[key]),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    else copy[key] = copyOf(value[key])
  }
  return copy
}

/** A name or a type of a request as text; empty for an object, whose conversion to text may throw. */
export const scalarText = (value: unknown): string =>
  typeof value === 'object' || typeof value === 'symbol' ? '' : String(value)

export const asFields = (value: unknown): MutableFields | undefined =>
  isRecord(value) ? (value as MutableFields) : undefined

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Visits every object in a value. */
export function eachObject(
  value: unknown,
  visit: (fields: MutableFields, path: readonly (string | number)[]) => void,
): void {
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) for (let index = 0; index < value.length; index++) walk(value[index], [...path, index])
    else if (isRecord(value) && !ArrayBuffer.isView(value)) {
      visit(value as MutableFields, path)
      for (const key of Object.keys(value)) if (typeof value[key] === 'object') walk(value[key], [...path, key])
    }
  }
  walk(value, [])
}

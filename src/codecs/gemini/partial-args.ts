import { type Fields, isRecord } from '../../core/conversation.ts'
import { GrowingText } from '../shared/growing-text.ts'

/** The arguments of a call that arrive value by value, each with its path; a text can arrive in pieces. */
export class PartialArgs {
  isOpen = true
  readonly #whole: Fields
  readonly #values = new Map<string, GrowingText | { readonly value: unknown }>()

  constructor(call: Fields) {
    this.#whole = isRecord(call.args) ? call.args : {}
    this.add(call)
  }

  add({ partialArgs, willContinue }: Fields): void {
    for (const piece of Array.isArray(partialArgs) ? partialArgs : []) if (isRecord(piece)) this.#addPiece(piece)
    this.isOpen = willContinue === true
  }

  get value(): unknown {
    const root: Holder = new Map(Object.entries(this.#whole))
    for (const [path, known] of this.#values) {
      const steps = stepsOf(path)
      if (steps.length <= depthMax) place(root, steps, known instanceof GrowingText ? known.text : known.value)
    }
    return built(root)
  }

  #addPiece({ jsonPath, stringValue, numberValue, boolValue, nullValue }: Fields): void {
    if (typeof jsonPath !== 'string') return
    const known = this.#values.get(jsonPath)
    if (typeof stringValue === 'string') {
      if (known instanceof GrowingText) known.add(stringValue)
      else this.#values.set(jsonPath, new GrowingText(stringValue))
    } else if (nullValue !== undefined) this.#values.set(jsonPath, { value: null })
    else if (numberValue !== undefined || boolValue !== undefined)
      this.#values.set(jsonPath, { value: numberValue ?? boolValue })
  }
}

/** Deeper than any arguments are. */
const depthMax = 100

/** An object or, if all its keys are numbers, a list. */
type Holder = Map<string | number, unknown>

/** The steps of a path like `$.city`, `$.stops[0].name` or `$['a key']`. */
function stepsOf(path: string): (string | number)[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[['"]([^'"]*)['"]\]/g)
  return [...steps].map(([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? '') : Number(index)))
}

function place(root: Holder, steps: readonly (string | number)[], value: unknown): void {
  let holder = root
  for (const step of steps.slice(0, -1)) {
    const known = holder.get(step)
    const next: Holder = known instanceof Map ? known : new Map()
    holder.set(step, next)
    holder = next
  }
  const last = steps.at(-1)
  if (last !== undefined) holder.set(last, value)
}

function built(value: unknown, depth = 0): unknown {
  if (!(value instanceof Map)) return value
  const entries = [...value].map(([key, inner]): [string | number, unknown] => [key, built(inner, depth + 1)])
  const isList = depth > 0 && entries.every(([key]) => typeof key === 'number')
  return isList
    ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
    : Object.fromEntries(entries)
}

/** The form of ids that a provider accepts. */
export interface IdForm {
  /** Matches an id that is not accepted: to search for a wrong character is faster than to match the whole id. */
  readonly invalid?: RegExp
  readonly lengthMax: number
  /** Ids must be exactly this long. */
  readonly lengthExact?: number
}

/** The form of tool names that a provider accepts; without a pattern only an empty name is rejected. */
export interface NameForm {
  readonly pattern?: RegExp
  readonly lengthMax: number
}

export const acceptsName = (form: NameForm, name: string): boolean =>
  name !== '' && name.length <= form.lengthMax && (form.pattern === undefined || form.pattern.test(name))

/** An empty name on a result counts as missing. Only providers that check the characters of names reject it. */
export const acceptsResultName = (form: NameForm, name: string): boolean =>
  name === '' ? form.pattern === undefined : acceptsName(form, name)

/** A name in the form that a provider accepts, derived from the name alone. */
export function fitName(name: string, { lengthMax }: NameForm): string {
  if (name.trim() === '') return 'unknown_tool'
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  if (safe.length <= lengthMax) return safe
  const mark = mintId(name, { lengthMax: 9, lengthExact: 9 }, new Set())
  return `${safe.slice(0, lengthMax - 10)}_${mark}`
}

export function acceptsId(form: IdForm, id: string): boolean {
  if (form.lengthExact !== undefined ? id.length !== form.lengthExact : id.length > form.lengthMax) return false
  return form.invalid === undefined || (id !== '' && !form.invalid.test(id))
}

/**
 * A new id in the form that the provider accepts. It is derived from `seed` alone, so it is the same in every process;
 * a counter is appended while the id is in `taken`. The id is added to `taken`.
 */
export function mintId(seed: string, form: IdForm | undefined, taken: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const digest = shortHash(attempt === 0 ? seed : `${seed} ${attempt}`)
    const id =
      form?.lengthExact === undefined
        ? `call_${digest}`
        : digest.slice(0, form.lengthExact).padEnd(form.lengthExact, '0')
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A hash of ten letters and digits, from two 32-bit hashes of the text. */
export function shortHash(text: string): string {
  let first = 0x811c9dc5
  let second = 0x9747b28c
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x85ebca6b)
    second ^= second >>> 13
  }
  first ^= second >>> 7
  first = Math.imul(first ^ (first >>> 16), 0xc2b2ae35) >>> 0
  second = Math.imul(second ^ (second >>> 15), 0x27d4eb2f) >>> 0
  let digest = ''
  for (let index = 0; index < 5; index++) {
    digest += alphabet.charAt(first % 62) + alphabet.charAt(second % 62)
    first = Math.floor(first / 62)
    second = Math.floor(second / 62)
  }
  return digest
}

import { GrowingText } from './growing-text.ts'
import type { ReplyDelta } from './reply.ts'

/** A piece of a call, with what identifies the call. */
export interface CallPiece {
  readonly index: unknown
  readonly id: string
  readonly name: string
  readonly input: string
}

/** A call whose arguments arrive in pieces. */
export class GrowingCall {
  /** Its index among the calls of the reply. */
  readonly #index: number
  id = ''
  name = ''
  readonly input = new GrowingText()
  readonly #end = new ObjectEnd()
  /** Arguments that arrived before the call itself was reported; undefined afterwards. */
  #unreported: string[] | undefined = []

  constructor(index: number) {
    this.#index = index
  }

  add({ id, name, input }: CallPiece): void {
    if (this.id === '') this.id = id
    this.name = joinedName(this.name, name)
    if (this.input.add(input) === '') return
    this.#unreported?.push(input)
    this.#end.add(input)
  }

  /** Whether its arguments are a whole object already. */
  get isComplete(): boolean {
    return this.#end.isReached
  }

  /** The deltas to report for new arguments. The call itself is reported first, once it has a name, and an id or arguments. */
  deltas(input: string): ReplyDelta[] {
    const index = this.#index
    if (!this.#unreported) return input === '' ? [] : [{ kind: 'input', index, text: input }]
    if (this.name === '' || (this.id === '' && this.input.isEmpty)) return []
    const text = this.#unreported.join('')
    this.#unreported = undefined
    const begun: ReplyDelta = { kind: 'call', id: this.id, name: this.name, index }
    return text === '' ? [begun] : [begun, { kind: 'input', index, text }]
  }
}

/** Some repeat the name in every piece, some send it in pieces. */
function joinedName(before: string, piece: string): string {
  if (piece === '' || piece === before) return before
  return piece.startsWith(before) ? piece : before + piece
}

/**
 * The calls of a reply. A piece names its call by index or by id. Of pieces that have neither, a name starts a call unless it
 * repeats the name of an incomplete one, and every other piece continues the last call.
 *
 * Servers differ: some give all calls the same index, some give a new id to every piece of a call. So a piece with a known
 * index starts another call only if it has a name, and either its own id or a complete call before it.
 */
export class GrowingCalls {
  readonly calls: GrowingCall[] = []
  readonly #byIndex = new Map<number, GrowingCall>()
  readonly #byId = new Map<string, GrowingCall>()

  /** Adds a piece to its call and returns that call; `deltas` receives what is new. */
  add(piece: CallPiece, deltas: ReplyDelta[]): GrowingCall {
    const call = this.#find(piece) ?? this.#begin()
    call.add(piece)
    if (typeof piece.index === 'number') this.#byIndex.set(piece.index, call)
    if (piece.id !== '' && !this.#byId.has(piece.id)) this.#byId.set(piece.id, call)
    deltas.push(...call.deltas(piece.input))
    return call
  }

  #begin(): GrowingCall {
    const call = new GrowingCall(this.calls.length)
    this.calls.push(call)
    return call
  }

  #find(piece: CallPiece): GrowingCall | undefined {
    const { index, id, name } = piece
    const last = this.calls.at(-1)
    if (typeof index === 'number') {
      const call = this.#byIndex.get(index)
      return !call || beginsAnother(call, piece) ? undefined : call
    }
    if (id !== '') return this.#byId.get(id) ?? (name === '' ? last : undefined)
    if (name === '' || last === undefined) return last
    const { name: before, isComplete } = last
    return before === name && !isComplete ? last : undefined
  }
}

function beginsAnother(call: GrowingCall, { id, name, input }: CallPiece): boolean {
  if (name === '') return false
  return id === '' ? input.trim() !== '' && call.isComplete : call.id !== '' && call.id !== id
}

/** Finds where an object in JSON text ends. The pieces arrive one by one and are scanned only if it matters. */
class ObjectEnd {
  #pieces: string[] = []
  #depth = 0
  #inText = false
  #escaped = false
  #reached = false

  add(piece: string): void {
    if (!this.#reached) this.#pieces.push(piece)
  }

  get isReached(): boolean {
    for (const piece of this.#pieces) for (const sign of piece) this.#step(sign)
    this.#pieces = []
    return this.#reached
  }

  #step(sign: string): void {
    if (this.#escaped) this.#escaped = false
    else if (this.#inText) {
      if (sign === '\\') this.#escaped = true
      else if (sign === '"') this.#inText = false
    } else if (sign === '"') this.#inText = true
    else if (sign === '{' || sign === '[') this.#depth++
    else if ((sign === '}' || sign === ']') && --this.#depth === 0) this.#reached = true
  }
}

/** A reply of Redis, as far as it matters here. A push is a message, or the answer to a subscription. */
export type Reply =
  | { readonly kind: 'value' }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'push'; readonly items: readonly (string | undefined)[] }

type Value = string | readonly Value[] | undefined

/** Reads RESP3, the protocol of Redis: https://redis.io/docs/latest/develop/reference/protocol-spec/ */
export class ReplyParser {
  readonly #receive: (reply: Reply) => void
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(receive: (reply: Reply) => void) {
    this.#receive = receive
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    for (;;) {
      this.#at = 0
      const type = this.#bytes[0]
      const value = this.#value()
      if (value === incomplete) return
      this.#bytes = this.#bytes.subarray(this.#at)
      this.#receive(toReply(String.fromCharCode(type ?? 0), value))
    }
  }

  #value(): Value | typeof incomplete {
    const end = this.#bytes.indexOf('\r\n', this.#at)
    if (end < 0) return incomplete
    const type = String.fromCharCode(this.#bytes[this.#at] ?? 0)
    const line = this.#bytes.toString('utf8', this.#at + 1, end)
    this.#at = end + 2
    if ('+-:_,#('.includes(type)) return line
    const count = Number(line)
    if ('$=!'.includes(type)) return count < 0 ? undefined : this.#text(count)
    if ('*~>'.includes(type)) return count < 0 ? undefined : this.#list(count)
    if ('%|'.includes(type)) return this.#list(2 * count)
    throw new Error('the server does not speak the protocol of Redis')
  }

  #text(length: number): string | typeof incomplete {
    const start = this.#at
    if (this.#bytes.length < start + length + 2) return incomplete
    this.#at = start + length + 2
    return this.#bytes.toString('utf8', start, start + length)
  }

  #list(count: number): Value | typeof incomplete {
    const items: Value[] = []
    while (items.length < count) {
      const item = this.#value()
      if (item === incomplete) return incomplete
      items.push(item)
    }
    return items
  }
}

const incomplete = Symbol('incomplete')

function toReply(type: string, value: Value): Reply {
  if (type === '>' && Array.isArray(value))
    return { kind: 'push', items: value.map(item => (typeof item === 'string' ? item : undefined)) }
  if (type === '-' || type === '!') return { kind: 'error', text: String(value) }
  return { kind: 'value' }
}

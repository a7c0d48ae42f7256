import type { CodecId, DialectId } from '../../src/index.ts'
import type { Api } from '../../src/strict/provider.ts'

export type History = readonly unknown[]

/** An SDK that writes a history of its own format in the format of a provider. */
export interface Translator {
  readonly name: string
  /** The format of its histories, which random ones are made in. */
  readonly format: CodecId
  /** The provider that it writes for, as the healer knows it. */
  readonly dialect: DialectId
  readonly model: string
  /** The strict provider that judges what it sends, and the API that it sends it to. */
  readonly provider: string
  readonly api: Api
  /** The healing that its users call, where that is not `heal`. */
  readonly heal?: (history: History) => History
  /** A history of `format` as this SDK has it, where its own format is not one of ours. */
  readonly itemsOf?: (history: History) => History
  /** The body of the request that it makes from a history; rejects if it throws before it sends anything. */
  send(history: History): Promise<Record<string, unknown>>
}

/** What a captured request is thrown as, so that the SDK does no work after it. */
class Captured extends Error {
  readonly body: string

  constructor(body: string) {
    super('captured')
    this.body = body
  }
}

/** In place of the network: throws the body of each request as `Captured`. */
export const capture = async (_: unknown, init?: { body?: unknown }): Promise<never> => {
  throw new Captured(String(init?.body))
}

/** The body that was captured while `ask` ran. Every other error is that of the SDK. */
export async function captured(ask: () => Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await ask()
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof Captured) return JSON.parse(cause.body)
    throw error
  }
  throw new Error('the SDK sent nothing')
}

/** The names of the tools that a history calls, so that they can be declared. */
export function toolNames(history: History): string[] {
  const names = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, held] of Object.entries(value)) {
      if (key === 'toolName' && isName(held)) names.add(held)
      else if (key === 'type' && typeof held === 'string' && isName(held.slice(5))) names.add(held.slice(5))
      else look(held)
    }
  }
  look(history)
  return names.size > 0 ? [...names] : ['search']
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

import type { Random } from '../../laws/random.ts'
import type { Reader } from '../../strict/readers.ts'

/** The error of an SDK for what a provider rejects. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
  readonly status = 400
}

/** Providers that no longer accept reasoning which they signed themselves, as after a change of the account. */
export class VoidReasoning {
  readonly #void = new Set<string>()

  /** Makes some of the reasoning in the messages void. */
  spoil(messages: readonly unknown[], random: Random): void {
    const known = sealsIn(messages)
    if (known.length > 0) this.#void.add(random.pick(known).seal)
  }

  /** What the provider answers to these messages, if it rejects them. */
  rejection(messages: readonly unknown[], { format }: Reader): RejectedError | undefined {
    const found = sealsIn(messages).find(({ seal }) => this.#void.has(seal))
    return found && new RejectedError(`400 ${wordsOf(found, format)}`)
  }
}

interface Seal {
  readonly seal: string
  /** Where its block is: the index of the message, and of the block in it. */
  readonly at: readonly [message: number, block: number]
  readonly id: unknown
}

function sealsIn(messages: readonly unknown[]): Seal[] {
  return messages.flatMap((message, index) => {
    const { content, parts } = message as { content?: unknown; parts?: unknown }
    const blocks: unknown[] = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [message]
    return blocks.flatMap((block, place) => {
      const { signature, encrypted_content: sealed, thoughtSignature, id } = block as Record<string, unknown>
      const seal = [signature, sealed, thoughtSignature].find(text => typeof text === 'string' && text !== standIn)
      return seal === undefined ? [] : [{ seal: seal as string, at: [index, place] as const, id }]
    })
  })
}

const standIn = 'skip_thought_signature_validator'

function wordsOf({ at: [message, block], id }: Seal, format: string): string {
  if (format === 'gemini') return 'Corrupted thought signature.'
  if (format === 'openai-responses') return `The encrypted content for item ${id} could not be verified.`
  return `messages.${message}.content.${block}: Invalid \`signature\` in \`thinking\` block`
}

/** A provider that takes shorter ids than its documentation says. */
export function rejectLongIds(messages: readonly unknown[]): Error | undefined {
  const calls = (messages as readonly { tool_calls?: readonly { id: string }[] }[]).flatMap(
    message => message.tool_calls ?? [],
  )
  if (calls.every(({ id }) => id.length <= 16)) return undefined
  const words = "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 16."
  return new RejectedError(`400 ${words}`)
}

/** A provider for which a history is too long until it is summarized. */
export function rejectWithoutSummary(messages: readonly unknown[]): Error | undefined {
  if (JSON.stringify(messages).includes('[summary]')) return undefined
  const words = "This model's maximum context length is 100 tokens. However, your messages resulted in 200 tokens."
  return new RejectedError(`400 ${words} Please reduce the length of the messages.`)
}

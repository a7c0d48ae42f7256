import { aiSdk } from '../../codecs/ai-sdk/index.ts'
import { isOutput } from '../../codecs/ai-sdk/spelling.ts'
import type { Codec } from '../../codecs/codec.ts'
import { isRecord, type Part } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { isHealthy } from '../../heal.ts'
import { type HealOptions, type Plan, planFor } from '../../options.ts'
import type { RepairResult } from '../../report.ts'
import { repairWhole } from '../../stretches.ts'

/**
 * The plan for messages of the AI SDK that are read by a provider's package of the SDK, which insists on more than the
 * provider does: some take words of the system only in front, and some cannot send what another provider ran.
 */
export function sdkPlan(messages: readonly unknown[], reader: DialectId, choices: HealOptions): Plan {
  const plan = planFor(messages, { ...choices, for: reader, format: 'ai-sdk' })
  const isFirst = needsSystemFirst.has(reader) && plan.facts.systemRole === 'refuse'
  const facts: Facts = { ...plan.facts, ...(isFirst ? { system: 'first' } : {}) }
  const isForeign = (part: unknown): boolean => isHosted(part) && !takesHosted(reader, part)
  const isDoubtful = (part: unknown): boolean => isForeign(part) || (facts.emptyResult !== 'accept' && isBlank(part))
  if (!messages.some(message => partsOf(message).some(isDoubtful))) return { ...plan, facts }
  return { ...plan, codec: doubting(isForeign), facts: { ...facts, serverIds: nobodys } }
}

/** Heals messages of the AI SDK for a provider's package of the SDK. */
export function repairFor<Messages extends readonly unknown[]>(
  reader: DialectId,
  before: Messages,
  choices: HealOptions,
): RepairResult<Messages> {
  const plan = sdkPlan(before, reader, choices)
  if (isHealthy(before, plan)) return { messages: before, changed: false, repairs: [], remaining: [] }
  const { messages, repairs, remaining } = repairWhole(before, plan)
  const changed = repairs.length > 0
  return { messages: changed ? (messages as readonly unknown[] as Messages) : before, changed, repairs, remaining }
}

/** Providers that have a field for the words of the system. */
const needsSystemFirst = new Set<DialectId>(['anthropic', 'bedrock', 'gemini', 'vertex'])

/** No id is one that the reader gave. */
const nobodys: NonNullable<Facts['serverIds']> = { pattern: /(?!)/, lengthMax: 0 }

const partsOf = (message: unknown): readonly unknown[] =>
  isRecord(message) && Array.isArray(message.content) ? message.content : []

type Fields = Readonly<Record<string, unknown>>

const isHosted = (part: unknown): part is Fields => isRecord(part) && part.providerExecuted === true

/**
 * Whether the package of a reader can send a call that a provider ran. Those for chat completions would send it as a call
 * that nobody answered, and Google's does so with calls that are not its own.
 */
function takesHosted(reader: DialectId, { providerOptions }: Fields): boolean {
  if (hosts.has(reader)) return true
  const names = reader === 'gemini' || reader === 'vertex' ? ['google', 'vertex', 'googleVertex'] : [reader]
  return isRecord(providerOptions) && names.some(name => name in providerOptions)
}

const hosts = new Set<DialectId>(['lenient', 'anthropic', 'openai-responses', 'xai'])

/** A result whose words are none. */
const isBlank = (part: unknown): boolean =>
  isRecord(part) && part.type === 'tool-result' && blankOf(part.output) !== undefined

function blankOf(output: unknown): string | undefined {
  if (!isOutput(output) || (output.type !== 'text' && output.type !== 'error-text')) return undefined
  return typeof output.value === 'string' && output.value.trim() === '' ? output.value : undefined
}

/** Reads what a foreign provider ran as such, and words as they are where there are none; and doubts every message. */
const doubting = (isForeign: (raw: unknown) => boolean): Codec => ({
  ...aiSdk,
  decode(...args) {
    const { messages, ...conversation } = aiSdk.decode(...args)
    const foreign = new Set<string>()
    for (const { parts } of messages)
      for (const part of parts) if (part.kind === 'call' && isForeign(part.raw)) foreign.add(part.id)
    const read = (part: Part): Part => {
      if (part.kind !== 'call' && part.kind !== 'result') return part
      if (part.by === 'provider') return foreign.has(part.id) ? { ...part, sort: 'server' } : part
      const blank = part.kind === 'result' ? blankOf(part.content) : undefined
      return part.kind === 'result' && blank !== undefined ? { ...part, content: blank } : part
    }
    return { ...conversation, messages: messages.map(message => ({ ...message, parts: message.parts.map(read) })) }
  },
  scan: () => ({ push: () => false, end: () => false, resume() {} }),
})

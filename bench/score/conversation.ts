import { corruptionsFor } from '../../test/laws/corruptions.ts'
import { validHistory } from '../../test/laws/history.ts'
import type { Codec, Fields, Native, Translation, Wire } from '../../test/laws/plan.ts'
import { Random } from '../../test/laws/random.ts'
import { agUi } from '../../test/laws/wire/ag-ui.ts'
import { aiSdk } from '../../test/laws/wire/ai-sdk.ts'
import { aiSdkUi } from '../../test/laws/wire/ai-sdk-ui.ts'
import { anthropic } from '../../test/laws/wire/anthropic.ts'
import { bedrock } from '../../test/laws/wire/bedrock.ts'
import { gemini } from '../../test/laws/wire/gemini.ts'
import { geminiInteractions } from '../../test/laws/wire/gemini-interactions.ts'
import { langchain } from '../../test/laws/wire/langchain.ts'
import { ollama } from '../../test/laws/wire/ollama.ts'
import { openaiChat } from '../../test/laws/wire/openai-chat.ts'
import { openaiResponses } from '../../test/laws/wire/openai-responses.ts'
import { pydanticAi } from '../../test/laws/wire/pydantic-ai.ts'

/** A conversation before and after something happened to it. */
export interface Accident {
  /** The class of the corruption, and those that came with it. */
  name: string
  company: string[]
  seed: number
  whole: unknown[]
  broken: unknown[]
}

const translations: Partial<Record<Codec, Translation>> = {
  'ag-ui': agUi,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  bedrock,
  gemini,
  langchain,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
}
const wires: Record<Native, Wire> = { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic }

const nativeOf = (codec: Codec): Native => translations[codec]?.from ?? (codec as Native)

/** The classes that a wire's histories can suffer. */
export const classesOf = (codec: Codec): string[] => corruptionsFor(nativeOf(codec)).map(({ name }) => name)

/** So many accidents of a class, by fixed seeds: alone, or with one to three others before it. */
export function* accidents(
  name: string,
  codec: Codec,
  options: { count: number; inCompany: boolean; simplify?: (whole: unknown[]) => unknown[] },
): Generator<Accident> {
  const { count, inCompany, simplify = whole => whole } = options
  const native = nativeOf(codec)
  const all = corruptionsFor(native)
  const wanted = all.find(corruption => corruption.name === name)
  let made = 0
  for (let seed = 1; wanted && made < count && seed < seedsMax; seed++) {
    const whole = simplify(signed(validHistory(native, seed).messages, wires[native]))
    const random = new Random(seed ^ 0x5c0e)
    const company = inCompany ? Array.from({ length: random.range(1, 3) }, () => random.pick(all)) : []
    const others = company.reduce((history, { apply }) => apply(history, random), whole)
    const broken = wanted.apply(others, random)
    if (broken === others) continue
    if (broken.length === 0 || !broken.every(isMessage)) continue
    const written = (messages: unknown[]) =>
      translations[codec]?.translate(messages, new Random(seed ^ 0x7a11)) ?? messages
    const accident = {
      name,
      company: company.map(one => one.name),
      seed,
      whole: written(whole),
      broken: written(broken),
    }
    if (!isKnowable(accident, codec)) continue
    made++
    yield accident
  }
}

const seedsMax = 2_000

/** What is not a message of the API cannot be read, and so it cannot be repaired. */
function isMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { role, type } = value as Fields
  return role === undefined ? typeof type === 'string' : roles.includes(role)
}

const instructing: unknown[] = ['system', 'developer']

const roles: unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']

/**
 * In a message without any key there is nothing to read, and the system alone asks nothing. A call that was approved is open on purpose:
 * the SDK runs it next.
 */
function isKnowable({ broken }: Accident, codec: Codec): boolean {
  if (broken.some(message => Object.keys(message as Fields).length === 0)) return false
  if (broken.every(message => instructing.includes((message as Fields).role))) return false
  return !codec.startsWith('ai-sdk') || !JSON.stringify(broken).includes('"approval')
}

/** Words that cannot be mistaken for a part of another, and one in the arguments of every call, so that each can be told. */
function signed(messages: unknown[], wire: Wire): unknown[] {
  const distinct = JSON.stringify(messages).replace(/w(\d+)/g, (_, number: string) => `w${number.padStart(4, '0')}z`)
  let calls = 0
  const sign = (part: Fields): Fields => {
    const text = wire.argumentsOf(part)
    if (text === undefined || /w\d+z/.test(text)) return part
    const written = JSON.stringify({ ...JSON.parse(text), note: `w${9000 + ++calls}z` })
    return wire.withArguments(part, typeof argumentsIn(part, wire) === 'string' ? written : JSON.parse(written))
  }
  const shape = wire.parts.call
  if (!shape) return JSON.parse(distinct)
  const { list } = shape
  return (JSON.parse(distinct) as Fields[]).map(message => {
    if (list === undefined) return shape.is(message) ? sign(message) : message
    const parts = message[list]
    if (!Array.isArray(parts)) return message
    return { ...message, [list]: parts.map((part: Fields) => (shape.is(part) ? sign(part) : part)) }
  })
}

/** The arguments as they stand in the part: as JSON text, or as a value. */
const argumentsIn = (part: Fields, { codec }: Wire): unknown => (codec === 'anthropic' ? part.input : '')

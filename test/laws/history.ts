import { corruptionsFor } from './corruptions.ts'
import { freeForm } from './free-form.ts'
import { type Codec, type Native, plan, type Translation, type Wire } from './plan.ts'
import { Random } from './random.ts'
import { agUi } from './wire/ag-ui.ts'
import { aiSdk } from './wire/ai-sdk.ts'
import { aiSdkUi } from './wire/ai-sdk-ui.ts'
import { anthropic } from './wire/anthropic.ts'
import { bedrock } from './wire/bedrock.ts'
import { gemini } from './wire/gemini.ts'
import { geminiInteractions } from './wire/gemini-interactions.ts'
import { langchain } from './wire/langchain.ts'
import { ollama } from './wire/ollama.ts'
import { openaiChat } from './wire/openai-chat.ts'
import { openaiResponses } from './wire/openai-responses.ts'
import { pydanticAi } from './wire/pydantic-ai.ts'

export interface History {
  kind: 'valid' | 'corrupted' | 'free-form'
  messages: unknown[]
  /** The names of the corruptions, in the order in which they were made. */
  corruptions: string[]
  /** Whether the conversation reuses call ids across turns by itself, which most providers accept, but not all. */
  reusedIds: boolean
}

const translations = {
  gemini,
  bedrock,
  langchain,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  'ag-ui': agUi,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
} satisfies Partial<Record<Codec, Translation>> as Partial<Record<Codec, Translation>>

const wires: Record<Native, Wire> = { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic }

export const natives = Object.keys(wires) as readonly Native[]
export const codecs: readonly Codec[] = [...natives, ...(Object.keys(translations) as Codec[])]

/** A broken history: a conversation with one to four corruptions for even seeds, a free-form one for odd seeds. */
export function history(codec: Codec, seed: number): History {
  return translated(codec, seed, native => {
    const random = new Random(seed)
    if (seed % 2 !== 0) {
      return { kind: 'free-form', messages: freeForm(native, random), corruptions: [], reusedIds: false }
    }
    return corrupt(converse(native, random), native, random)
  })
}

/** A conversation that its wire's own provider takes as it is. */
export function validHistory(codec: Codec, seed: number): History {
  return translated(codec, seed, native => converse(native, new Random(seed)))
}

/** What `make` writes in the wire that a codec's histories are translated from, in the codec's own. */
export function translate(codec: Codec, make: (native: Native) => unknown[], random: Random): unknown[] {
  const translation = translations[codec]
  return translation ? translation.translate(make(translation.from), random) : make(codec as Native)
}

function translated(codec: Codec, seed: number, make: (native: Native) => History): History {
  const translation = translations[codec]
  if (!translation) return make(codec as Native)
  const made = make(translation.from)
  return { ...made, messages: translation.translate(made.messages, new Random(seed ^ 0x7a11)) }
}

function converse(codec: Native, random: Random): History {
  const conversation = plan(random)
  const messages = wires[codec].write(conversation, random)
  return { kind: 'valid', messages, corruptions: [], reusedIds: conversation.reusedIds }
}

/** Picks another corruption for one that finds nothing to break. */
function corrupt(valid: History, codec: Native, random: Random): History {
  const wanted = random.range(1, 4)
  const corruptions: string[] = []
  let { messages } = valid
  while (corruptions.length < wanted) {
    const corruption = random.pick(corruptionsFor(codec))
    const broken = corruption.apply(messages, random)
    if (broken === messages) continue
    messages = broken
    corruptions.push(corruption.name)
  }
  return { ...valid, kind: 'corrupted', messages, corruptions }
}

import { corruptionsFor } from './corruptions.ts'
import { freeForm } from './free-form.ts'
import { type Codec, plan, type Wire } from './plan.ts'
import { Random } from './random.ts'
import { anthropic } from './wire/anthropic.ts'
import { openaiChat } from './wire/openai-chat.ts'
import { openaiResponses } from './wire/openai-responses.ts'

export interface History {
  kind: 'valid' | 'corrupted' | 'free-form'
  messages: unknown[]
  /** The names of the corruptions, in the order in which they were made. */
  corruptions: string[]
  /** Whether the conversation reuses call ids across turns by itself, which is legal for most readers only. */
  reusedIds: boolean
}

export const codecs: readonly Codec[] = ['openai-chat', 'openai-responses', 'anthropic']

/** A broken history: a conversation with one to four corruptions for even seeds, a free-form one for odd seeds. */
export function history(codec: Codec, seed: number): History {
  const random = new Random(seed)
  if (seed % 2 !== 0) {
    return { kind: 'free-form', messages: freeForm(codec, random), corruptions: [], reusedIds: false }
  }
  return corrupt(converse(codec, random), codec, random)
}

/** A conversation that its wire's own provider takes as it is. */
export function validHistory(codec: Codec, seed: number): History {
  return converse(codec, new Random(seed))
}

const wires: Record<Codec, Wire> = { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic }

function converse(codec: Codec, random: Random): History {
  const conversation = plan(random)
  const messages = wires[codec].write(conversation, random)
  return { kind: 'valid', messages, corruptions: [], reusedIds: conversation.reusedIds }
}

/** Picks another corruption for one that finds nothing to break. */
function corrupt(valid: History, codec: Codec, random: Random): History {
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

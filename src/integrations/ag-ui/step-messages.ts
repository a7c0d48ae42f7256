import type { AssistantMessage, Message, ReasoningMessage, ToolMessage } from '@ag-ui/core'
import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { wordsOf } from '../../codecs/shared/pieces.ts'
import { piecesOf } from '../../codecs/shared/pieces-of.ts'
import type { CallPart, Message as Decoded, Part, ResultPart } from '../../core/conversation.ts'
import { present } from '../../core/invariant.ts'
import { Queue } from '../../core/queue.ts'
import { unpackBytes } from '../../journal/bytes.ts'
import type { Outcome } from '../../journal/entry.ts'
import type { JournalCall, RecordedStep } from '../../journal/fold.ts'

/** The AG-UI ids of the messages and the calls of a step. */
export interface StepNames {
  /** The prefix of its message ids. */
  readonly base: string
  /** The ids of its calls, in their order. */
  readonly calls: readonly string[]
}

/**
 * A step as AG-UI messages: the text before the first call, one message with the calls, their results, and then the text after a call. An
 * open call has no result.
 */
export function stepMessages(step: RecordedStep, names: StepNames, showsReasoning: boolean): Message[] {
  const codec: Codec = codecs[step.response.format as CodecId]
  const decoded = codec.decode(unpackBytes(step.response.messages) as unknown[]).messages
  const answers = answersIn(decoded)
  const reader = new GroupReader(step, names)
  return groupsOf(decoded).flatMap(group => {
    const { texts, calls, callsId } = reader.read(group)
    const shown = texts.filter(({ kind }) => kind === 'text' || showsReasoning)
    const results = calls.flatMap(({ part, call, id }) => {
      const answer = call.outcome ? undefined : answers.get(part.id)?.take()
      const outcome = call.outcome ?? (answer && outcomeOf(codec, answer))
      return outcome ? [resultMessage(call, id, outcome)] : []
    })
    return [
      ...shown.filter(({ calls }) => calls === 0).map(messageOf),
      ...(calls.length > 0 ? [callMessage(callsId, calls)] : []),
      ...results,
      ...shown.filter(({ calls }) => calls > 0).map(messageOf),
    ]
  })
}

/** Reads the groups of a step in order, and gives their messages and calls their ids. */
class GroupReader {
  readonly #step: RecordedStep
  readonly #names: StepNames
  #segments = 0
  #thoughts = 0
  #calls = 0

  constructor(step: RecordedStep, names: StepNames) {
    this.#step = step
    this.#names = names
  }

  read(group: readonly Decoded[]): { texts: Segment[]; calls: StepCall[]; callsId: string } {
    const texts: Segment[] = []
    const calls: StepCall[] = []
    let callsId = ''
    for (const part of group.flatMap(({ parts }) => parts)) {
      if (part.kind === 'call' && part.by === 'client') {
        if (calls.length === 0) callsId = `${this.#names.base}-${this.#segments++}`
        calls.push(this.#call(part))
      } else this.#addText(texts, part, calls.length)
    }
    return { texts, calls, callsId }
  }

  #call(part: CallPart): StepCall {
    const index = this.#calls++
    return {
      part,
      call: present(this.#step.calls[index], eachCall),
      id: present(this.#names.calls[index], eachCall),
    }
  }

  /** Continues the last text if it is of the same kind and no call is between. */
  #addText(texts: Segment[], part: Part, calls: number): void {
    const piece = textIn(part)
    const last = texts.at(-1)
    if (!piece) return
    if (last?.kind === piece.kind && last.calls === calls) last.texts.push(piece.text)
    else if (piece.text.trim() !== '') {
      const place = piece.kind === 'text' ? this.#segments++ : `thought-${this.#thoughts++}`
      texts.push({ id: `${this.#names.base}-${place}`, kind: piece.kind, texts: [piece.text], calls })
    }
  }
}

interface StepCall {
  readonly part: CallPart
  readonly call: JournalCall
  readonly id: string
}

const eachCall = 'a step has each call of its response'

/** A result as a message. Its id is derived from the call's id in the journal, so it is unique. */
export function resultMessage(call: JournalCall, toolCallId: string, { status, content }: Outcome): ToolMessage {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
  const failure = status === 'done' ? {} : { error: text || 'The tool failed.' }
  return { id: `${call.id}-result`, role: 'tool', toolCallId, content: text, ...failure }
}

/** Text between two calls. `calls` is the number of calls before it. */
interface Segment {
  readonly id: string
  readonly kind: 'text' | 'reasoning'
  readonly texts: string[]
  readonly calls: number
}

const messageOf = ({ id, kind, texts }: Segment): AssistantMessage | ReasoningMessage =>
  kind === 'text'
    ? { id, role: 'assistant', content: texts.join('') }
    : { id, role: 'reasoning', content: texts.join('') }

const callMessage = (id: string, calls: readonly StepCall[]): AssistantMessage => ({
  id,
  role: 'assistant',
  toolCalls: calls.map(({ part, id }) => ({
    id,
    type: 'function',
    function: { name: part.name, arguments: argumentsOf(part) },
  })),
})

function argumentsOf({ input, callKind }: CallPart): string {
  if (callKind === 'custom') return JSON.stringify({ input })
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}

function textIn(part: Part): { kind: 'text' | 'reasoning'; text: string } | undefined {
  if (part.kind === 'text' || part.kind === 'reasoning') return { kind: part.kind, text: part.text }
  const isRefusal = part.kind === 'other' && part.field === 'refusal' && typeof part.raw === 'string'
  return isRefusal ? { kind: 'text', text: part.raw as string } : undefined
}

/** The messages of the assistant in groups: a message after results begins a new group. */
function groupsOf(messages: readonly Decoded[]): Decoded[][] {
  const groups: Decoded[][] = []
  let isAnswered = true
  for (const message of messages) {
    if (message.role === 'tool') isAnswered = true
    else if (isAnswered) {
      groups.push([message])
      isAnswered = false
    } else groups.at(-1)?.push(message)
  }
  return groups
}

/** The results that the response itself contains, by the ids that it uses. */
function answersIn(messages: readonly Decoded[]): Map<string, Queue<ResultPart>> {
  const answers = new Map<string, Queue<ResultPart>>()
  for (const { parts } of messages)
    for (const part of parts)
      if (part.kind === 'result' && part.by === 'client') {
        const queue = answers.get(part.id) ?? new Queue()
        answers.set(part.id, queue)
        queue.push(part)
      }
  return answers
}

const outcomeOf = (codec: Codec, { content, raw, error }: ResultPart): Outcome => ({
  status: error ? 'error' : 'done',
  content: wordsOf(piecesOf(codec).readResult(content, raw)),
})

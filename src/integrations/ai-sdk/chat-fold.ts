import { PartsFold } from '../../codecs/ai-sdk-ui/parts-fold.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { rewriteMessages } from '../../heal/convert/convert.ts'
import type { AgentQuestion } from '../../journal/agents/agent-questions.ts'
import { mainBranch } from '../../journal/branches/branch-tree.ts'
import type { Entry, InputSubmit } from '../../journal/entry.ts'
import { AnswerChunks } from './answer-chunks.ts'

/** A message as a chat shows it. */
export interface ShownMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly object[]
}

type Admitted = Extract<Entry, { kind: 'input-admit' }>

/** Converts the entries of a thread to the messages of a chat: one for each input, and one for everything that answers it. */
export class ChatFold {
  readonly #uid: string
  readonly #inputs = new Map<number, InputSubmit>()
  readonly #messages: (ShownMessage | Answer)[] = []
  /** Answers that failed and were given again. */
  readonly #replaced = new Set<Answer>()
  readonly #bySteps = new Map<number, Answer>()
  #answer: Answer | undefined

  constructor(uid: string) {
    this.#uid = uid
  }

  push(entry: Entry): void {
    if (entry.kind === 'input-submit') this.#inputs.set(entry.seq, entry)
    else if (entry.kind === 'input-admit') this.#admit(entry)
    else {
      // The outcome of a call is shown where the call is.
      const answer = 'call' in entry ? this.#bySteps.get(entry.call.step) : this.#answer
      if (entry.kind === 'response-record' && answer) this.#bySteps.set(entry.seq, answer)
      answer?.push(entry)
    }
  }

  /** Shows the questions of agents in the answers whose calls led to them. */
  ask(questions: readonly AgentQuestion[]): void {
    for (const answer of new Set(this.#bySteps.values())) answer.ask(questions)
  }

  /** The messages so far, and after them the inputs that wait, by their sequence numbers. */
  messages(waiting: readonly number[]): ShownMessage[] {
    const messagesSoFar = this.#messages.flatMap(message => {
      if (!(message instanceof Answer)) return message
      return this.#replaced.has(message) ? [] : message.message
    })
    const next = waiting.filter(seq => !isRetry(this.#inputs.get(seq)?.key)).map(seq => this.#message(seq))
    return [...messagesSoFar, ...next].filter(({ parts }) => parts.length > 0)
  }

  /** The journal's ids of the calls, by their ids in the chat. */
  get calls(): ReadonlyMap<string, string> {
    const calls = [...new Set(this.#bySteps.values())].flatMap(answer => [...answer.calls])
    // Of calls with the same id the first one counts.
    return new Map(calls.toReversed().map(([call, id]) => [id, call]))
  }

  /** Of a repeated attempt only the last one is shown. */
  #admit(entry: Admitted): void {
    this.#answer?.push(entry)
    for (const number of entry.inputs) {
      const input = this.#inputs.get(number)
      if (!input) continue
      if (!isRetry(input.key)) this.#messages.push(this.#message(number))
      else if (this.#answer) this.#replaced.add(this.#answer)
    }
    this.#answer = new Answer(this.#uid, entry.seq)
    this.#messages.push(this.#answer)
  }

  #message(seq: number): ShownMessage {
    return chatMessageOf(this.#uid, seq, this.#inputs)
  }
}

/** The message that an input is shown as. */
export function chatMessageOf(uid: string, seq: number, inputs: ReadonlyMap<number, InputSubmit>): ShownMessage {
  const id = messageIdOf(uid, seq, inputs)
  const { content, format } = inputs.get(seq) ?? { content: [] }
  if (typeof content === 'string') return { id, role: 'user', parts: [{ type: 'text', text: content }] }
  if (format === 'ai-sdk-ui' && isRecord(content)) return { id, ...content } as unknown as ShownMessage
  const list = Array.isArray(content) ? content : [content]
  const known = format !== undefined && Object.hasOwn(codecs, format) ? (format as CodecId) : 'openai-chat'
  const parts = rewriteMessages(list, known, 'ai-sdk-ui').flatMap(message => (message as ShownMessage).parts)
  return { id, role: 'user', parts }
}

/** The id of the message that an input is shown as. An edited message and a repeated one keep the id of the first, unless they have their own. */
export function messageIdOf(uid: string, seq: number, inputs: ReadonlyMap<number, InputSubmit>): string {
  for (let first = seq; ; ) {
    const { key, replaces } = inputs.get(first) ?? {}
    if (key !== undefined) return isRetry(key) ? key.slice(key.indexOf(':', retryMark.length) + 1) : key
    if (replaces === undefined) return `${uid}-${first}`
    first = replaces
  }
}

/** The key of an input that is repeated because its turn failed. Branches that have the turn repeat it each for itself. */
export const retryKey = (turn: number, branch: number, messageId: string): string =>
  `${retryMark}${turn}${branch === mainBranch ? '' : `.${branch}`}:${messageId}`

const retryMark = 'antiphon-retry:'

export const isRetry = (key: string | undefined): boolean => key?.startsWith(retryMark) === true

class Answer {
  readonly #chunks: AnswerChunks
  readonly #parts = new PartsFold()

  constructor(uid: string, admitted: number) {
    this.#chunks = new AnswerChunks({ uid, admitted, isStored: true })
  }

  get calls(): ReadonlyMap<string, string> {
    return this.#chunks.calls
  }

  get message(): ShownMessage {
    return { id: this.#chunks.messageId, role: 'assistant', parts: this.#parts.written.parts }
  }

  push(entry: Entry): void {
    for (const chunk of this.#chunks.entry(entry)) this.#parts.push(chunk, chunk.type)
  }

  ask(questions: readonly AgentQuestion[]): void {
    const news = { questions, outcomes: new Map() }
    for (const chunk of this.#chunks.agentNews(news, true)) this.#parts.push(chunk, chunk.type)
  }
}

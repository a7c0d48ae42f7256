import { type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText, parsedObject } from '../../core/json/json-text.ts'
import { GrowingText } from '../shared/growing-text.ts'
import { type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { text } from '../shared/text.ts'
import { answerOf, finishOf, read, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean =>
  isRecord(chunk) && typeof chunk.event_type === 'string' && /^(interaction|step)\./.test(chunk.event_type)

const fold = (): ReplyFold => new InteractionFold()

export const replies: Replies = { read, recognises, fold }

/** An answer can be several interactions: a client that continues one yields the events of all of them, one after the other. */
class InteractionFold implements ReplyFold {
  failure: unknown
  readonly #interactions: StreamedInteraction[] = [new StreamedInteraction()]
  #calls = 0

  push(chunk: unknown): readonly ReplyDelta[] {
    if (!isRecord(chunk)) return []
    const { event_type: type, index } = chunk
    if (type === 'error') this.failure ??= chunk.error ?? chunk
    const interaction = this.#interactionOf(chunk)
    interaction.note(chunk)
    if (type === 'step.start' && isRecord(chunk.step))
      return interaction.steps.has(index) ? [] : this.#stepAt(interaction, index, chunk.step).opening
    if (type !== 'step.delta' || !isRecord(chunk.delta)) return []
    return this.#stepAt(interaction, index, startFor(chunk.delta)).add(chunk.delta)
  }

  end(): Reply {
    const last = this.#interactions.at(-1) as StreamedInteraction
    const isWhole = last.isOver && this.failure === undefined
    const about = Object.assign({}, ...this.#interactions.map(({ fields }) => fields))
    const steps = this.#interactions.flatMap(one => answerOf(one === last && !isWhole ? one.grown : one.written))
    return toReply(steps, isWhole ? finishOf(last.fields.status) : 'cut', about)
  }

  /** The interaction of an event. An event that cannot belong to the last one begins the next. */
  #interactionOf(chunk: Fields): StreamedInteraction {
    const last = this.#interactions.at(-1) as StreamedInteraction
    if (!last.isEndedBy(chunk)) return last
    const next = new StreamedInteraction()
    this.#interactions.push(next)
    return next
  }

  /** The step of an index, which begins as `start` if it is new. */
  #stepAt({ steps }: StreamedInteraction, index: unknown, start: Fields): GrowingStep {
    const known = steps.get(index)
    if (known) return known
    const step = new GrowingStep(start, start.type === 'function_call' ? this.#calls++ : -1)
    steps.set(index, step)
    return step
  }
}

/** One interaction. Its steps grow by events; the steps in its last event replace them, if it has any. */
class StreamedInteraction {
  readonly steps = new Map<unknown, GrowingStep>()
  readonly #stopped = new Set<unknown>()
  /** Its own fields, as its events have them. */
  fields: Fields = {}
  isOver = false

  /** Whether an event shows that another interaction has begun, whose steps are counted from 0 again. */
  isEndedBy({ event_type: type, index, interaction }: Fields): boolean {
    if (type === 'step.start') return this.#stopped.has(index)
    if (type !== 'interaction.created' || !isRecord(interaction)) return false
    const [before, after] = [text(this.fields.id), text(interaction.id)]
    return this.isOver || (before !== '' && after !== '' && before !== after)
  }

  note({ event_type: type, index, interaction }: Fields): void {
    if (isRecord(interaction)) this.fields = { ...this.fields, ...interaction }
    if (type === 'interaction.completed' || (isRecord(interaction) && finishOf(interaction.status) !== 'cut'))
      this.isOver = true
    if (type === 'step.stop') this.#stopped.add(index)
  }

  get grown(): Fields[] {
    return [...this.steps.values()].map(step => step.written)
  }

  get written(): readonly unknown[] {
    const { steps } = this.fields
    return this.isOver && Array.isArray(steps) && steps.length > 0 ? steps : this.grown
  }
}

/** The start of a step that has no `step.start` event. */
const startFor = ({ type }: Fields): Fields => ({ type: stepTypes.get(type) ?? 'model_output' })

const stepTypes = new Map<unknown, string>([
  ['arguments_delta', 'function_call'],
  ['thought_summary', 'thought'],
  ['thought_signature', 'thought'],
])

class GrowingStep {
  readonly #start: Fields
  /** Which call of the reply it is; -1 if it is none. */
  readonly #call: number
  readonly #fields = new Map<string, unknown>()
  readonly #input = new GrowingText()
  readonly #signature = new GrowingText()
  readonly #result = new GrowingText()
  readonly #contents: GrowingContents
  readonly #list: 'summary' | 'content'

  constructor(start: Fields, call: number) {
    this.#start = start
    this.#call = call
    this.#list = start.type === 'thought' ? 'summary' : 'content'
    this.#contents = new GrowingContents(start[this.#list])
  }

  /** The deltas of what it began with. */
  get opening(): readonly ReplyDelta[] {
    const { id, name, arguments: input } = this.#start
    if (this.#call < 0) return this.#emit(this.#contents.text)
    const begun: ReplyDelta = { kind: 'call', id: text(id), name: text(name), index: this.#call }
    const isWhole = isRecord(input) && Object.keys(input).length > 0
    return isWhole ? [begun, { kind: 'input', index: this.#call, text: jsonText(input) }] : [begun]
  }

  add(delta: Fields): readonly ReplyDelta[] {
    switch (delta.type) {
      case 'text':
        return this.#emit(this.#contents.addText(delta.text))
      case 'thought_summary':
        return isRecord(delta.content) ? textDeltas('reasoning', this.#contents.add(delta.content)) : []
      case 'thought_signature':
        this.#signature.add(delta.signature)
        return []
      case 'arguments_delta':
        return this.#addInput(this.#input.add(delta.arguments))
      case 'text_annotation_delta':
        this.#contents.annotate(delta.annotations)
        return []
    }
    if (this.#start.type === 'model_output') this.#contents.add(delta)
    else this.#addFields(delta)
    return []
  }

  /** What the provider's own tools are given and return. A result that is text comes in pieces; all else comes whole. */
  #addFields({ type: _, ...fields }: Fields): void {
    for (const [key, value] of Object.entries(fields)) {
      if (key === 'result' && typeof value === 'string') this.#result.add(value)
      else this.#fields.set(key, value)
    }
  }

  get written(): Fields {
    const input = this.#input.isEmpty ? {} : { arguments: parsedObject(this.#input.text) }
    const signature = this.#signature.isEmpty ? {} : { signature: text(this.#start.signature) + this.#signature.text }
    const contents = this.#contents.written
    const listed = contents.length === 0 ? {} : { [this.#list]: contents }
    const result = this.#result.isEmpty ? {} : { result: text(this.#start.result) + this.#result.text }
    return { ...this.#start, ...Object.fromEntries(this.#fields), ...listed, ...input, ...signature, ...result }
  }

  /** The deltas of new words. Only the model's own are shown. */
  #emit(words: string): readonly ReplyDelta[] {
    const { type } = this.#start
    return type === 'thought'
      ? textDeltas('reasoning', words)
      : type === 'model_output'
        ? textDeltas('text', words)
        : []
  }

  #addInput(piece: string): readonly ReplyDelta[] {
    return piece === '' || this.#call < 0 ? [] : [{ kind: 'input', index: this.#call, text: piece }]
  }
}

/** A list of contents in which the last text grows. */
class GrowingContents {
  readonly #contents: { readonly raw: Fields; readonly words?: GrowingText; annotations: unknown[] }[] = []

  constructor(start: unknown) {
    if (Array.isArray(start)) for (const content of start) if (isRecord(content)) this.add(content)
  }

  /** Adds a content, and returns its text. */
  add(content: Fields): string {
    const isPlain = Object.keys(content).every(key => key === 'type' || key === 'text')
    if (content.type === 'text' && isPlain) return this.addText(content.text)
    const words = content.type === 'text' ? { words: new GrowingText(content.text) } : {}
    const annotations = Array.isArray(content.annotations) ? [...content.annotations] : []
    this.#contents.push({ raw: content, ...words, annotations })
    return text(content.text)
  }

  addText(words: unknown): string {
    const last = this.#contents.at(-1)
    if (last?.words) return last.words.add(words)
    const grown = new GrowingText(words)
    if (!grown.isEmpty) this.#contents.push({ raw: { type: 'text' }, words: grown, annotations: [] })
    return grown.text
  }

  annotate(annotations: unknown): void {
    if (Array.isArray(annotations)) for (const one of annotations) this.#contents.at(-1)?.annotations.push(one)
  }

  get text(): string {
    return this.#contents.map(({ raw, words }) => words?.text ?? text(raw.text)).join('')
  }

  get written(): Fields[] {
    return this.#contents.map(({ raw, words, annotations }) => ({
      ...raw,
      ...(words ? { text: words.text } : {}),
      ...(annotations.length > 0 ? { annotations } : {}),
    }))
  }
}

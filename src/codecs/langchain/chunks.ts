import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'
import { jsonText, parseObject } from '../../core/json/json-text.ts'
import { GrowingCalls } from '../shared/growing-calls.ts'
import { type Finish, type Replies, type Reply, type ReplyDelta, type ReplyFold, textDeltas } from '../shared/reply.ts'
import { idText, text } from '../shared/text.ts'
import { contentOf, isFilled } from './form.ts'
import { GrowingMessageContent } from './growing-content.ts'
import { Growing } from './merge.ts'
import { assistantFields, endOf, read, toReply } from './reply.ts'

const recognises = (chunk: unknown): boolean => assistantFields(chunk) !== undefined

const fold = (): ReplyFold => new ChunkFold()

export const replies: Replies = { read, recognises, fold }

/** Chunks of one message, added up. The arguments of a call are read once all of them are there. */
class ChunkFold implements ReplyFold {
  readonly failure = undefined
  readonly #content = new GrowingMessageContent()
  readonly #calls = new GrowingCalls()
  readonly #wholeCalls: unknown[] = []
  readonly #extras = new Growing()
  readonly #metadata = new Growing()
  readonly #usage = new Growing()
  #id: unknown
  #name: unknown
  #end: Finish | undefined

  push(chunk: unknown): readonly ReplyDelta[] {
    const fields = assistantFields(chunk)
    if (!fields) return []
    const deltas: ReplyDelta[] = []
    this.#id ??= fields.id
    this.#name ??= fields.name
    this.#extras.add(fields.additional_kwargs)
    this.#metadata.add(fields.response_metadata)
    this.#usage.add(fields.usage_metadata)
    this.#end = endOf(fields) ?? this.#end
    deltas.push(...textDeltas('reasoning', text(asRecord(fields.additional_kwargs).reasoning_content)))
    this.#content.add(contentOf(fields), deltas)
    this.#call(fields, deltas)
    return deltas
  }

  end(): Reply {
    const { called, invalid } = this.#read()
    const known = { id: this.#id, name: this.#name, usage_metadata: this.#usage.value }
    const message = {
      type: 'ai',
      content: this.#content.value,
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== null)),
      ...(called.length > 0 ? { tool_calls: called } : {}),
      ...(invalid.length > 0 ? { invalid_tool_calls: invalid } : {}),
      ...filled('additional_kwargs', this.#extras.value),
      ...filled('response_metadata', this.#metadata.value),
    }
    return toReply(
      message,
      this.#end ?? 'cut',
      this.#calls.calls.filter(({ input }) => input.isEmpty).map(({ id }) => id),
    )
  }

  /** Calls arrive in pieces, or whole where there are no pieces. */
  #call({ tool_call_chunks: chunks, tool_calls: calls }: Fields, deltas: ReplyDelta[]): void {
    if (isFilled(chunks)) {
      for (const { index, id, name, args } of chunks.filter(isRecord))
        this.#calls.add({ index, id: idText(id), name: text(name), input: text(args) }, deltas)
    } else if (isFilled(calls)) {
      for (const call of calls.filter(isRecord)) {
        const index = this.#wholeCalls.push(call) - 1
        deltas.push({ kind: 'call', id: idText(call.id), name: text(call.name), index })
        deltas.push({ kind: 'input', index, text: jsonText(call.args) })
      }
    }
  }

  /** The library has a list for calls that it could not parse. Missing arguments count as none. */
  #read(): { called: unknown[]; invalid: unknown[] } {
    const { calls } = this.#calls
    if (calls.length === 0) return { called: this.#wholeCalls, invalid: [] }
    const called: unknown[] = []
    const invalid: unknown[] = []
    for (const { id, name, input } of calls) {
      const args = input.isEmpty ? {} : parseObject(input.text)
      if (args) called.push({ name, args, id, type: 'tool_call' })
      else invalid.push({ name, args: input.text, id, error: 'Malformed args.', type: 'invalid_tool_call' })
    }
    return { called, invalid }
  }
}

const filled = (key: string, value: unknown): Fields =>
  isRecord(value) && Object.keys(value).length > 0 ? { [key]: value } : {}

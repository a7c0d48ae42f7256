import { compose } from '../../../src/strict/answers/answer.ts'
import { Ids } from '../../../src/strict/answers/ids.ts'
import type { ReplyContent } from '../../../src/strict/answers/script.ts'
import { grammars } from '../../../src/strict/grammar/index.ts'
import { findProvider } from '../../../src/strict/providers/index.ts'
import { ServerState } from '../../../src/strict/server/state.ts'
import { type Reader, readers } from '../../strict/readers.ts'

/** Those who speak in a simulation, and those who judge: each in the shape of its own provider. */
export const speakers: readonly Reader[] = readers.filter(({ dialect, format }) =>
  [
    'openai openai-chat',
    'openai-responses openai-responses',
    'anthropic anthropic',
    'gemini gemini',
    'mistral openai-chat',
  ].includes(`${dialect} ${format}`),
)

/** Writes what a model says as its provider's SDK gives it. Ids are counted, so that the same words come out the same. */
export class FakeResponses {
  readonly #ids = new Ids()
  readonly #state = new ServerState()

  whole(reader: Reader, said: ReplyContent): unknown {
    return grammars[reader.format].whole(this.#answer(reader, said))
  }

  chunks(reader: Reader, said: ReplyContent): unknown[] {
    const events = grammars[reader.format].stream(this.#answer(reader, said))
    return events.flatMap(({ data }) => (data === '[DONE]' ? [] : [data]))
  }

  #answer(reader: Reader, said: ReplyContent) {
    const { format: api, model, provider: id } = reader
    const provider = findProvider(id)
    if (!provider) throw new Error(`no strict provider ${id}`)
    const grammar = grammars[api]
    const request = { id: 'req_1', provider: id, api, path: '/', model, stream: false, headers: {}, body: {} }
    const desk = { request, provider, ids: this.#ids, state: this.#state, fails: false }
    return compose(said, desk, grammar.answerId(this.#ids), name => grammar.callId(this.#ids, name))
  }
}

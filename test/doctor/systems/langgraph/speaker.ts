import type { Random } from '../../../laws/random.ts'

/** A message as the text that the saver writes. */
export type MessageText = string

/** Says messages in the form of LangChain's classes, with all that is odd but legal there. */
export class Speaker {
  readonly #random: Random
  #ids = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Several turns: words, calls side by side, results with errors, images and unknown fields. */
  conversation(): MessageText[] {
    const random = this.#random
    const messages = random.chance(0.6) ? [this.system()] : []
    for (let turn = random.range(1, 4); turn > 0; turn--) {
      messages.push(this.human())
      for (let step = random.int(3); step > 0; step--) messages.push(...this.step())
      messages.push(this.answer())
    }
    return messages
  }

  system(): MessageText {
    return this.#message('SystemMessage', `"content":"You are a helpful assistant ${this.#random.word()}."`)
  }

  human(): MessageText {
    const words = JSON.stringify(this.#random.sentence())
    const image = '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}'
    const content = this.#random.chance(0.15) ? `[{"type":"text","text":${words}},${image}]` : words
    return this.#message('HumanMessage', `"content":${content}`)
  }

  answer(): MessageText {
    const extra = this.#random.chance(0.3) ? ',"usage_metadata":{"input_tokens":10,"output_tokens":1.0}' : ''
    const calls = '"tool_calls":[],"invalid_tool_calls":[]'
    return this.#message('AIMessage', `"content":${JSON.stringify(this.#random.sentence())},${calls}${extra}`)
  }

  /** A message with one to three calls, and their results. */
  step(): MessageText[] {
    const random = this.#random
    const ids = Array.from({ length: random.range(1, 3) }, () => random.id('call_'))
    const calls = ids.map(id => {
      const type = random.chance(0.7) ? ',"type":"tool_call"' : ''
      return `{"name":"${random.pick(tools)}","args":${random.pick(inputs)},"id":"${id}"${type}}`
    })
    const words = random.chance(0.4) ? random.sentence() : ''
    const streamed = random.chance(0.2)
    const said = `"content":${JSON.stringify(words)},"tool_calls":[${calls.join(',')}],"invalid_tool_calls":[]`
    const chunks = streamed ? ',"tool_call_chunks":[]' : ''
    return [this.#message(streamed ? 'AIMessageChunk' : 'AIMessage', said + chunks), ...ids.map(id => this.result(id))]
  }

  result(id: string): MessageText {
    const random = this.#random
    const status = random.chance(0.2) ? 'error' : 'success'
    const artifact = random.chance(0.5) ? ',"artifact":{"lc":2,"type":"undefined"}' : ''
    const name = random.chance(0.8) ? `,"name":"${random.pick(tools)}"` : ''
    const content = JSON.stringify(random.sentence())
    return this.#message(
      'ToolMessage',
      `"status":"${status}","content":${content}${artifact},"tool_call_id":"${id}"${name},"metadata":{}`,
    )
  }

  #message(name: string, fields: string): MessageText {
    const path = `["langchain_core","messages","${name}"]`
    const id = `"id":"${this.#random.id(`m${this.#ids++}-`)}"`
    const rest = `"additional_kwargs":{},"response_metadata":{${this.#random.chance(0.2) ? '"cost":1.50' : ''}}`
    const kwargs = `${fields},${rest},${id}`
    if (this.#random.chance(0.15)) return `{"lc": 1, "type": "constructor", "id": ${path}, "kwargs": {${kwargs}}}`
    return `{"lc":1,"type":"constructor","id":${path},"kwargs":{${kwargs}}}`
  }
}

const tools = ['process', 'read_file', 'search']
const inputs = ['{}', '{"path":"package.json"}', '{"depth":1.0,"limit":1e5}', '{"caf\\u00e9":"\\n"}']

export type MessageKind = 'system' | 'human' | 'ai' | 'call' | 'tool'

export function kindOf(message: MessageText): MessageKind {
  const { id, kwargs } = JSON.parse(message)
  const name: string = id.at(-1)
  if (name === 'SystemMessage') return 'system'
  if (name === 'HumanMessage') return 'human'
  if (name === 'ToolMessage') return 'tool'
  return kwargs.tool_calls.length > 0 ? 'call' : 'ai'
}

/** The id of the call that a result answers. */
export const answeredIn = (message: MessageText): string => JSON.parse(message).kwargs.tool_call_id

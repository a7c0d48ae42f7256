import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/**
 * What the assistant does between two inputs becomes one message or a few, with a part for each call and its result. A
 * result takes its place in the part of its call wherever it stood, so results that are nobody's are gone. What the user
 * says may stand inside a message of the assistant, and now and then everything is spelled as in version 4.
 */
export const aiSdkUi: Translation = { from: 'openai-chat', translate }

function translate(messages: readonly unknown[], random: Random): unknown[] {
  const writer = new Writer(random)
  for (const message of messages) {
    if (!isFields(message)) writer.leave(message)
    else if (message.role === 'assistant') writer.step(message)
    else if (message.role === 'tool') writer.result(message)
    else writer.say(message)
  }
  return writer.close()
}

interface OpenPart {
  readonly part: Fields
  /** Which step it stands in. */
  readonly step: number
}

class Writer {
  readonly #random: Random
  readonly #written: unknown[] = []
  /** The last call of each id. */
  readonly #calls = new Map<unknown, OpenPart>()
  /** How often a step gets a message of its own, and whether steps are told apart inside one. */
  readonly #splits: number
  readonly #isMarked: boolean
  /** How often the user speaks inside a message of the assistant. */
  readonly #steers: number
  /** The tool parts of version 4 with their steps; undefined in later versions. */
  readonly #old: OpenPart[] | undefined
  #open: OpenPart[] = []
  #parts: unknown[] | undefined
  #steps = 0

  constructor(random: Random) {
    this.#random = random
    this.#splits = random.pick([0, 0, 0.2, 1])
    this.#isMarked = random.chance(0.85)
    this.#steers = random.pick([0, 0, 0, 0.3])
    this.#old = random.chance(0.08) ? [] : undefined
  }

  leave(value: unknown): void {
    this.#parts = undefined
    this.#written.push(value)
  }

  say(message: Fields): void {
    const role = message.role === 'developer' ? 'system' : message.role
    const parts = this.#content(message.content, message.content === '')
    if (role === 'user' && this.#parts && canBeThrownIn(parts) && this.#random.chance(this.#steers)) {
      this.#parts.push({ type: 'steering-message', id: this.#random.id('st-'), parts })
      return
    }
    this.#parts = undefined
    this.#written.push(this.#message(role, parts))
  }

  step(message: Fields): void {
    const random = this.#random
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
    const parts: unknown[] = []
    if (typeof message.reasoning_content === 'string') parts.push(this.#reasoning(message.reasoning_content))
    const content = this.#content(message.content, message.content === '' && calls.length === 0)
    if (!Array.isArray(content)) {
      this.leave(this.#message('assistant', content))
      return
    }
    parts.push(...content)
    if (typeof message.refusal === 'string') parts.push(this.#text(message.refusal))
    if (random.chance(0.04)) parts.push(this.#aside())
    this.#steps++
    for (const call of calls) parts.push(isFields(call) ? this.#call(call) : call)
    this.#add(parts)
  }

  /** The first result of a call is its output. Another one comes from a part that was stored twice, or is nobody's. */
  result(message: Fields): void {
    const random = this.#random
    const id = message.tool_call_id
    const known = this.#calls.get(id)
    if (!isSet(id)) {
      const waiting = this.#open.find(({ step, part }) => step === this.#steps && part.state === undefined)
      if (waiting && random.chance(0.6)) waiting.part.output = this.#output(message.content)
    } else if (known && known.part.state === undefined) settle(known.part, this.#output(message.content), random)
    else if (known && this.#parts && random.chance(0.5)) {
      const copy = { type: known.part.type, toolCallId: id, input: structuredClone(known.part.input) }
      this.#parts.push(settle(copy, this.#output(message.content), random))
      this.#old?.push({ part: copy, step: this.#steps })
    }
  }

  /** Calls that are still open get one of the states that say so. */
  close(): unknown[] {
    const isBroken = this.#open.some(({ part }) => part.state === undefined)
    for (const { part } of this.#open) if (part.state === undefined) leaveOpen(part, this.#random)
    if (isBroken && !this.#old && this.#random.chance(0.3)) this.#storeTwice()
    const counts = this.#random.chance(0.5)
    for (const { part, step } of this.#old ?? []) spellAsBefore(part, counts ? step : undefined)
    return this.#written
  }

  /** The calls of a message stand in front of it too, as they were before they ran. */
  #storeTwice(): void {
    const place = this.#random.int(this.#written.length + 1)
    const message = this.#written[place]
    if (!isFields(message) || message.role !== 'assistant' || !Array.isArray(message.parts)) return
    const calls = message.parts.filter(part => isFields(part) && 'toolCallId' in part && 'input' in part)
    const open = calls.map(({ type, toolName, toolCallId, input }) => ({
      ...{ type, toolCallId, state: 'input-available', input: structuredClone(input) },
      ...(toolName === undefined ? {} : { toolName }),
    }))
    if (open.length > 0) this.#written.splice(place, 0, { ...message, parts: open })
  }

  #add(parts: unknown[]): void {
    const random = this.#random
    if (!this.#parts || random.chance(this.#splits)) {
      this.#parts = []
      this.#written.push(this.#message('assistant', this.#parts))
      if (this.#isMarked && random.chance(0.8)) this.#parts.push({ type: 'step-start' })
    } else if (this.#isMarked && !(isSteering(this.#parts.at(-1)) && random.chance(0.5)))
      this.#parts.push({ type: 'step-start' })
    this.#parts.push(...parts)
  }

  #message(role: unknown, parts: unknown): Fields {
    const random = this.#random
    return {
      ...(random.chance(0.97) ? { id: random.id('msg-') } : {}),
      role,
      ...(random.chance(0.1) ? { metadata: { model: random.id('m-'), usage: { total: random.int(900) } } } : {}),
      parts,
      ...(random.chance(0.05) ? { createdAt: '2026-03-01T10:00:00.000Z' } : {}),
    }
  }

  #content(content: unknown, asEmptyText: boolean): unknown {
    if (asEmptyText) return this.#random.chance(0.5) ? [this.#text('')] : []
    if (typeof content === 'string') return content === '' ? [] : [this.#text(content)]
    if (content === undefined || content === null) return []
    return Array.isArray(content) ? content.map(block => this.#block(block)) : content
  }

  #block(block: unknown): unknown {
    if (!isFields(block)) return block
    if (block.type === 'text' && typeof block.text === 'string') return this.#text(block.text)
    const url = isFields(block.image_url) ? block.image_url.url : undefined
    if (typeof url !== 'string') return block
    const filename = this.#random.chance(0.3) ? { filename: 'picture.png' } : {}
    return { type: 'file', mediaType: 'image/png', ...filename, url }
  }

  #text(text: string): Fields {
    const random = this.#random
    return {
      type: 'text',
      text,
      ...(random.chance(0.3) ? { state: 'done' } : {}),
      ...(random.chance(0.03) ? { providerMetadata: { openai: { itemId: random.id('msg_') } } } : {}),
    }
  }

  #reasoning(text: string): Fields {
    if (this.#old) return { type: 'reasoning', reasoning: text, details: [] }
    const signature = this.#random.chance(0.5) ? { providerMetadata: { anthropic: { signature: 'Eq' } } } : {}
    return { type: 'reasoning', text, ...signature }
  }

  /** What the SDK keeps beside the words of a step. */
  #aside(): Fields {
    const random = this.#random
    switch (random.int(4)) {
      case 0:
        return { type: 'source-url', sourceId: random.id('src-'), url: 'https://example.test/page' }
      case 1:
        return { type: 'data-progress', id: random.id('d-'), data: { done: random.int(9) } }
      case 2:
        return { type: 'file', mediaType: 'image/png', url: 'https://example.test/chart.png' }
      default:
        return {
          type: 'tool-web_search',
          toolCallId: random.id('srvtoolu_'),
          providerExecuted: true,
          state: 'output-available',
          input: { query: 'weather' },
          output: [
            {
              type: 'web_search_result',
              url: 'https://example.test',
              title: null,
              pageAge: null,
              encryptedContent: 'Eq',
            },
          ],
        }
    }
  }

  #call(call: Fields): Fields {
    const random = this.#random
    const called = isFields(call.function) ? call.function : {}
    const name = typeof called.name === 'string' ? called.name : ''
    const part: Fields = random.chance(0.15) ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` }
    if ('id' in call) part.toolCallId = call.id
    if ('arguments' in called) part.input = parsed(called.arguments)
    if (random.chance(0.05)) part.callProviderMetadata = { openai: { itemId: random.id('fc_') } }
    if (random.chance(0.03)) part.title = 'A tool'
    const open = { part, step: this.#steps }
    this.#open.push(open)
    this.#old?.push(open)
    this.#calls.set(call.id, open)
    return part
  }

  #output(content: unknown): unknown {
    const random = this.#random
    const blocks = Array.isArray(content) && content.length === 1 ? content[0] : undefined
    const output = isFields(blocks) && typeof blocks.text === 'string' ? blocks.text : content
    if (typeof output !== 'string' || random.chance(0.6)) return output
    return random.chance(0.5) ? parsed(output) : { content: [{ type: 'text', text: output }], isError: false }
  }
}

/** Errors and refusals are told by their state. */
function settle(part: Fields, output: unknown, random: Random): Fields {
  const approval = random.chance(0.1) ? { id: random.id('ap-'), approved: true } : undefined
  if (typeof output === 'string' && output.startsWith('Error: ')) {
    if (random.chance(0.2)) {
      part.state = 'output-denied'
      part.approval = { id: random.id('ap-'), approved: false, reason: output }
      return part
    }
    part.state = 'output-error'
    part.errorText = output
    if (random.chance(0.1)) {
      part.rawInput = part.input
      delete part.input
    }
  } else {
    part.state = 'output-available'
    if (output !== '' || random.chance(0.5)) part.output = output
    if (part.output === undefined && random.chance(0.5)) part.output = null
    if (random.chance(0.02)) part.preliminary = true
  }
  if (approval) part.approval = approval
  return part
}

function leaveOpen(part: Fields, random: Random): void {
  if (random.chance(0.08)) part.providerExecuted = true
  const approval = { id: random.id('ap-') }
  switch (random.int(6)) {
    case 0:
      part.state = 'input-streaming'
      if (random.chance(0.5)) delete part.input
      break
    case 1:
      part.state = 'approval-requested'
      part.approval = approval
      break
    case 2:
      part.state = 'approval-responded'
      part.approval = { ...approval, approved: true }
      break
    case 3:
      part.state = 'approval-responded'
      part.approval = { ...approval, approved: false, ...(random.chance(0.5) ? { reason: random.id('because ') } : {}) }
      break
    case 4:
      break
    default:
      part.state = 'input-available'
  }
}

/** There is a result where there is a key for one, and nothing else of it is known. */
function spellAsBefore(part: Fields, step: number | undefined): void {
  const { type, toolName = String(type).slice('tool-'.length), toolCallId, input, rawInput = input, ...rest } = part
  const { state, output, errorText, approval } = rest
  const isDenied = state === 'output-denied' && isFields(approval)
  const result = isDenied ? approval.reason : state === 'output-error' ? errorText : output
  for (const key of Object.keys(part)) delete part[key]
  part.type = 'tool-invocation'
  part.toolInvocation = {
    state: String(state).startsWith('output') ? 'result' : state === 'input-streaming' ? 'partial-call' : 'call',
    ...(step === undefined ? {} : { step }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    toolName,
    ...(rawInput === undefined ? {} : { args: rawInput }),
    ...(result === undefined && !String(state).startsWith('output') ? {} : { result: result ?? null }),
  }
}

const canBeThrownIn = (parts: unknown): boolean =>
  Array.isArray(parts) &&
  parts.length > 0 &&
  parts.every(part => isFields(part) && typeof (part.text ?? part.url) === 'string')

const isSteering = (part: unknown): boolean => isFields(part) && part.type === 'steering-message'

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSet = (id: unknown): boolean => id !== undefined && id !== null && id !== ''

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

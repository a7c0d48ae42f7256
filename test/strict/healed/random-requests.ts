import { Random } from '../../laws/random.ts'
import type { Json } from '../http.ts'
import { bmp, jpeg, png } from '../images.ts'

/** A request with several faults, and what must be left of it. */
export interface RandomRequest {
  readonly path: string
  readonly body: Json
  readonly faults: readonly string[]
  /** Words of the user and of the assistant, and of results where nothing is too long. */
  readonly words: readonly string[]
  readonly calls: number
}

/** One kind of request: how turns are written, and what can be wrong with it. */
export interface Kind {
  readonly name: string
  path(model: string): string
  readonly model: string
  /** A conversation of turns with a call each. The last one is open if the request is to go on with its result. */
  build(turns: readonly Turn[]): Json
  readonly faults: Readonly<Record<string, Fault>>
  calls(body: Json): number
  results(body: Json): number
}

export interface Turn {
  readonly question: string
  readonly remark: string
  readonly id: string
  readonly result: string
  /** Missing in the last turn of a request that ends with a result. */
  readonly answer?: string
}

interface Fault {
  /** It is repaired only after a rejection, which names one fault. Two of these need two, and there is one retry. */
  readonly needsRejection?: true
  /** It lets results go. */
  readonly isLong?: true
  apply(body: Json, random: Random): void
}

export function randomRequest(kind: Kind, seed: number): RandomRequest {
  const random = new Random(seed)
  const count = random.range(2, 5)
  const turns = Array.from({ length: count }, (_, index): Turn => {
    const isOpen = index === count - 1 && random.chance(0.5)
    const [question, remark, result] = [random.sentence(), random.sentence(), random.sentence()]
    return { question, remark, id: random.id('call_'), result, ...(!isOpen && { answer: random.sentence() }) }
  })
  const asked = turns.at(-1)?.answer === undefined ? undefined : random.sentence()
  const body = kind.build(asked === undefined ? turns : [...turns, { question: asked, remark: '', id: '', result: '' }])
  const all = random.shuffle(Object.entries(kind.faults))
  const named = all.filter(([, { needsRejection }]) => needsRejection).slice(0, random.int(2))
  const seen = all.filter(([, { needsRejection }]) => !needsRejection).slice(0, random.range(1, 4))
  const faults = [...seen, ...named]
  const words = turns.flatMap(({ question, remark, answer = '' }) => [question, remark, answer])
  const isLong = faults.some(([, { isLong }]) => isLong)
  const results = isLong ? [] : turns.map(({ result }) => result)
  for (const [, { apply }] of faults) apply(body, random)
  return {
    ...{ path: kind.path(kind.model), body: { ...body, ...(kind.name === 'gemini' ? {} : { model: kind.model }) } },
    faults: faults.map(([name]) => name),
    words: [...words, ...results, asked ?? ''].flatMap(text => text.match(/\bw\d+\b/g) ?? []),
    calls: turns.length,
  }
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const base64 = (random: Random): string => Buffer.from(random.id('signed elsewhere ')).toString('base64')
const longText = `first line\n${'lorem ipsum '.repeat(130_000)}`

const said = (messages: unknown, role: string): Json[] => list(messages).filter(message => message.role === role)

// Anthropic

const anthropicImage = (data: string, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
const show = (body: Json, random: Random, ...images: object[]): void => {
  const message = random.pick(said(body.messages, 'user').filter(({ content }) => list(content)[0]?.type === 'text'))
  list(message.content).push(...(images as Json[]))
}
const blocks = (body: Json, type: string): Json[] =>
  list(body.messages).flatMap(({ content }) => list(content).filter(block => block.type === type))

const anthropic: Kind = {
  name: 'anthropic',
  path: () => '/v1/messages',
  model: 'claude-sonnet-4-5',
  build: turns => ({
    max_tokens: 1000,
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: turns.flatMap(({ question, remark, id, result, answer }) => [
      { role: 'user', content: [{ type: 'text', text: question }] },
      ...(id === ''
        ? []
        : [
            {
              role: 'assistant',
              content: [
                { type: 'text', text: remark },
                { type: 'tool_use', id, name: 'look', input: {} },
              ],
            },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: result }] }],
            },
          ]),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: [{ type: 'text', text: answer }] }]),
    ]),
  }),
  calls: body => blocks(body, 'tool_use').length,
  results: body => blocks(body, 'tool_result').length,
  faults: {
    'a foreign signature': {
      needsRejection: true,
      apply(body, random) {
        for (const { content } of said(body.messages, 'assistant'))
          if (random.chance(0.7))
            list(content).unshift({ type: 'thinking', thinking: 'Hm.', signature: base64(random) })
        body.thinking = { type: 'adaptive' }
        list(said(body.messages, 'assistant')[0].content).unshift({
          ...{ type: 'thinking', thinking: 'Well.', signature: base64(random) },
        })
      },
    },
    'a long result': {
      needsRejection: true,
      isLong: true,
      apply(body, random) {
        random.pick(blocks(body, 'tool_result')).content = longText
      },
    },
    'a long answer': { needsRejection: true, apply: body => Object.assign(body, { max_tokens: 199_990 }) },
    'a tall image': { apply: (body, random) => show(body, random, anthropicImage(png(12_000, 9))) },
    'many tall images': {
      apply: (body, random) => show(body, random, ...Array.from({ length: 25 }, () => anthropicImage(png(9, 2500)))),
    },
    'too many images': {
      needsRejection: true,
      apply: (body, random) => show(body, random, ...Array.from({ length: 104 }, () => anthropicImage(png(9, 9)))),
    },
    'an image of another type': { apply: (body, random) => show(body, random, anthropicImage(jpeg(9, 9))) },
    'an image that is not taken': {
      apply: (body, random) => show(body, random, anthropicImage(bmp(9, 9), 'image/bmp')),
    },
    'cache marks': {
      apply(body) {
        for (const block of [...blocks(body, 'text'), ...blocks(body, 'tool_use')].slice(0, 7))
          block.cache_control = { type: 'ephemeral' }
      },
    },
    'a field of another client': {
      needsRejection: true,
      apply: (body, random) => Object.assign(random.pick(blocks(body, 'tool_use')), { index: 0 }),
    },
    'a tool reference': {
      apply: (body, random) =>
        void list(random.pick(blocks(body, 'tool_result')).content).push({ type: 'tool_reference', tool_name: 'gone' }),
    },
    'a tool twice': { apply: body => void list(body.tools).push({ ...list(body.tools)[0] }) },
    'a tool name': {
      needsRejection: true,
      apply(body) {
        for (const named of [...list(body.tools), ...blocks(body, 'tool_use')])
          if (named.name === 'look') named.name = 'my.look'
      },
    },
  },
}

// OpenAI

const chatTool = (name: string) => ({ type: 'function', function: { name, parameters: {} } })
const imageUrl = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })

const openaiChat: Kind = {
  name: 'openai-chat',
  path: () => '/v1/chat/completions',
  model: 'gpt-5',
  build: turns => ({
    tools: [chatTool('look')],
    messages: turns.flatMap(({ question, remark, id, result, answer }) => [
      { role: 'user', content: [{ type: 'text', text: question }] },
      ...(id === ''
        ? []
        : [
            {
              role: 'assistant',
              content: remark,
              tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: id, content: result },
          ]),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: answer }]),
    ]),
  }),
  calls: body => list(body.messages).flatMap(({ tool_calls }) => list(tool_calls)).length,
  results: body => said(body.messages, 'tool').length,
  faults: {
    'a long result': {
      needsRejection: true,
      isLong: true,
      apply(body, random) {
        random.pick(said(body.messages, 'tool')).content = longText
      },
    },
    'too many tools': {
      needsRejection: true,
      apply: body => void list(body.tools).push(...Array.from({ length: 140 }, (_, at) => chatTool(`spare_${at}`))),
    },
    'a tool name': {
      needsRejection: true,
      apply(body) {
        const calls = list(body.messages).flatMap(({ tool_calls }) => list(tool_calls))
        for (const { function: named } of [...list(body.tools), ...calls] as { function: Json }[])
          if (named.name === 'look') named.name = 'my.look'
      },
    },
    'an image that is not taken': {
      apply: (body, random) => void list(random.pick(said(body.messages, 'user')).content).push(imageUrl(bmp(9, 9))),
    },
    'a long id': {
      apply(body, random) {
        const id = random.id('call_').padEnd(60, 'x')
        const message = list(body.messages).findIndex(({ tool_calls }) => list(tool_calls).length > 0)
        list(list(body.messages)[message].tool_calls)[0].id = id
        list(body.messages)[message + 1].tool_call_id = id
      },
    },
  },
}

const responses: Kind = {
  name: 'openai-responses',
  path: () => '/v1/responses',
  model: 'gpt-5',
  build: turns => ({
    store: false,
    tools: [{ type: 'function', name: 'look', parameters: {} }],
    input: turns.flatMap(({ question, remark, id, result, answer }) => [
      { role: 'user', content: [{ type: 'input_text', text: question }] },
      ...(id === ''
        ? []
        : [
            { role: 'assistant', content: [{ type: 'output_text', text: remark }] },
            { type: 'function_call', call_id: id, name: 'look', arguments: '{}' },
            { type: 'function_call_output', call_id: id, output: result },
          ]),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: answer }] }]),
    ]),
  }),
  calls: body => list(body.input).filter(({ type }) => type === 'function_call').length,
  results: body => list(body.input).filter(({ type }) => type === 'function_call_output').length,
  faults: {
    'foreign encrypted content': {
      needsRejection: true,
      apply(body, random) {
        body.input = list(body.input).flatMap((item, index) =>
          item.role === 'assistant' && (index < 2 || random.chance(0.6))
            ? [{ type: 'reasoning', id: random.id('rs_'), summary: [], encrypted_content: sealed(random) }, item]
            : [item],
        )
      },
    },
    'an unknown item': {
      needsRejection: true,
      apply(body, random) {
        const at = list(body.input).findIndex(({ role }) => role === 'assistant')
        list(body.input).splice(at, 0, { type: 'item_reference', id: random.id('rs_') })
      },
    },
    'an unknown response': {
      needsRejection: true,
      apply: body => Object.assign(body, { previous_response_id: 'resp_gone' }),
    },
    'a long result': {
      needsRejection: true,
      isLong: true,
      apply(body, random) {
        random.pick(list(body.input).filter(({ type }) => type === 'function_call_output')).output = longText
      },
    },
    'a long id': {
      apply(body, random) {
        const [call, output] = list(body.input).filter(({ call_id }) => call_id !== undefined)
        call.call_id = random.id('call_').padEnd(80, 'x')
        output.call_id = call.call_id
      },
    },
    'an id of another provider': {
      apply(body, random) {
        random.pick(list(body.input).filter(({ type }) => type === 'function_call')).id = random.id('toolu_')
      },
    },
    'a tool name': {
      needsRejection: true,
      apply(body) {
        for (const named of [...list(body.tools), ...list(body.input)])
          if (named.name === 'look') named.name = 'my.look'
      },
    },
    'input text of the assistant': {
      needsRejection: true,
      apply(body, random) {
        list(random.pick(said(body.input, 'assistant')).content)[0].type = 'input_text'
      },
    },
    'an image that is not taken': {
      needsRejection: true,
      apply(body, random) {
        const image = { type: 'input_image', image_url: `data:image/png;base64,${bmp(9, 9)}` }
        list(random.pick(said(body.input, 'user')).content).push(image)
      },
    },
  },
}

const sealed = (random: Random): string => `gAAAAABp${Buffer.from(random.id('sealed ')).toString('base64url')}`

// Gemini

const parts = (body: Json, key: string): Json[] =>
  list(body.contents).flatMap(content => list(content.parts).filter(part => part[key] !== undefined))

const gemini: Kind = {
  name: 'gemini',
  path: model => `/v1beta/models/${model}:generateContent`,
  model: 'gemini-3-pro',
  build: turns => ({
    tools: [{ functionDeclarations: [{ name: 'look' }] }],
    contents: turns.flatMap(({ question, remark, id, result, answer }) => [
      { role: 'user', parts: [{ text: question }] },
      ...(id === ''
        ? []
        : [
            {
              role: 'model',
              parts: [
                { text: remark },
                {
                  functionCall: { name: 'look', args: {} },
                  thoughtSignature: 'skip_thought_signature_validator',
                },
              ],
            },
            { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: result } } }] },
          ]),
      ...(answer === undefined ? [] : [{ role: 'model', parts: [{ text: answer }] }]),
    ]),
  }),
  calls: body => parts(body, 'functionCall').length,
  results: body => parts(body, 'functionResponse').length,
  faults: {
    'foreign signatures': {
      needsRejection: true,
      apply(body, random) {
        for (const part of parts(body, 'functionCall')) part.thoughtSignature = base64(random)
      },
    },
    'an empty part': {
      apply: (body, random) => void list(random.pick(said(body.contents, 'user')).parts).push({}),
    },
    'a long result': {
      needsRejection: true,
      isLong: true,
      apply(body, random) {
        const response = { output: longText.repeat(3) }
        Object.assign(random.pick(parts(body, 'functionResponse')).functionResponse as Json, { response })
      },
    },
    'a data: prefix': {
      needsRejection: true,
      apply(body, random) {
        const inlineData = { mimeType: 'image/png', data: `data:image/png;base64,${png(9, 9)}` }
        const turn = random.pick(
          list(body.contents).filter(({ parts }) => list(parts)[0].text && list(parts).length === 1),
        )
        list(turn.role === 'user' ? turn.parts : list(body.contents)[0].parts).push({ inlineData })
      },
    },
    'a tool name': {
      needsRejection: true,
      apply(body) {
        const named = [
          ...list(list(body.tools)[0].functionDeclarations),
          ...parts(body, 'functionCall').map(part => part.functionCall as Json),
          ...parts(body, 'functionResponse').map(part => part.functionResponse as Json),
        ]
        for (const one of named) one.name = 'my look'
      },
    },
  },
}

export const kinds: readonly Kind[] = [anthropic, openaiChat, responses, gemini]

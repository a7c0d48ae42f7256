import { describe, expect, test } from 'vitest'
import { pieces } from '../../src/codecs/shared/pieces-of.ts'
import { placeholderTexts } from '../../src/core/placeholder.ts'
import { check, heal, healRequest } from '../../src/index.ts'
import fixture from '../fixtures/bedrock.json' with { type: 'json' }
import { asks, cachePoint, reasoning, replies, toolResult, toolUse, words } from '../oracle/cases/converse.ts'
import { judge } from '../oracle/judge.ts'

const options = { format: 'bedrock', for: 'bedrock' } as const
const hi = asks(words())
const nothing = toolResult('A', [words(placeholderTexts.unknown)], 'error')

describe('bedrock', () => {
  test('a long conversation comes back as the same reference', () => {
    expect(check(fixture)).toEqual([])
    expect(heal(fixture)).toBe(fixture)
    expect(judge(fixture, 'bedrock', 'bedrock')).toEqual([])
  })

  test('what the user says while a call is open shares the message with its placeholder', () => {
    expect(heal([hi, replies(toolUse('A')), hi], options)).toEqual([hi, replies(toolUse('A')), asks(nothing, words())])
  })

  test('a cache point goes where its block goes, and goes with it', () => {
    const marked = [toolResult('A'), cachePoint]
    const calls = replies(toolUse('A'), toolUse('B'))
    const missing = toolResult('B', [words(placeholderTexts.unknown)], 'error')
    expect(heal([hi, calls, asks(...marked)], options)).toEqual([hi, calls, asks(...marked, missing)])
    expect(heal([hi, replies(toolUse('A')), asks(words(), cachePoint, ...marked)], options)).toEqual([
      hi,
      replies(toolUse('A')),
      asks(...marked, words(), cachePoint),
    ])
    expect(heal([hi, replies(words()), asks(...marked, words('and?'))], { ...options, orphans: 'drop' })).toEqual([
      hi,
      replies(words()),
      asks(words('and?')),
    ])
    expect(heal([asks(words(' '), cachePoint, words('hm')), replies(words()), hi], options)[0]).toEqual(
      asks(words('hm')),
    )
  })

  test('a cache point after results is not input of a user', () => {
    const history = [hi, replies(toolUse('A')), asks(toolResult('A'), cachePoint), replies(words()), hi]
    for (const model of ['us.meta.llama4-scout-17b-instruct-v1:0', 'mistral.mistral-large-2407-v1:0'])
      expect(heal(history, { ...options, model })).toBe(history)
    expect(heal([hi, replies(toolUse('A')), asks(cachePoint, toolResult('A'))], options)).toHaveLength(3)
  })

  test('bytes stay the very same array', () => {
    const image = { image: { format: 'png', source: { bytes: new Uint8Array([137, 80, 78, 71]) } } }
    const hidden = { reasoningContent: { redactedContent: new Uint8Array([1, 2, 3]) } }
    const history = [asks(words(), image), replies(hidden, toolUse('A')), asks(toolResult('A', [image]))]
    expect(heal(history, options)).toBe(history)
    const [first, call, answer] = heal([hi, ...history], options)
    expect(first).toEqual(asks(words(), words(), image))
    expect((first as typeof hi).content[2]).toBe(image)
    expect(call).toBe(history[1])
    expect(answer).toBe(history[2])
    expect(pieces.bedrock.read(image)).toEqual({ kind: 'media', type: 'image', mime: 'image/png', data: 'iVBORw==' })
    const encrypted = replies({ reasoningContent: { redactedContent: new Uint8Array() } }, words())
    expect(heal([hi, encrypted, hi], options)[1]).toEqual(replies(words()))
  })

  test.each([
    ['anthropic.claude-opus-4-6-v1:0', 3],
    ['us.anthropic.claude-sonnet-5-20260901-v1:0', 3],
    ['us.meta.llama4-maverick-17b-instruct-v1:0', 3],
    ['anthropic.claude-sonnet-4-20250514-v1:0', 2],
    ['amazon.nova-pro-v1:0', 2],
  ])('whether the assistant may speak last is a matter of the model: %s', (model, length) => {
    expect(heal([hi, replies(words())], { ...options, model })).toHaveLength(length)
  })

  test('a value that is not an object is text, and content that is not a list becomes one', () => {
    const odd = [toolResult('A', [{ json: [1, 2] }, { json: { three: 3 } }]), toolResult('B', 'sunny')]
    const [, , results] = heal([hi, replies(toolUse('A'), toolUse('B')), asks(...odd)], options)
    expect(results).toEqual(
      asks(toolResult('A', [words('[1,2]'), { json: { three: 3 } }]), toolResult('B', [words('sunny')])),
    )
  })

  test('a quoted orphan has no block that stands in results only', () => {
    const orphan = asks(toolResult('A', [words('seen:'), { json: { sky: 'clear' } }]))
    const [quoted] = heal([orphan, replies(words())], { ...options, orphans: 'quote' })
    expect(quoted).toEqual(asks(words('[result of a tool, quoted]\n> seen:'), words('{"sky":"clear"}')))
  })

  test('calls that the provider ran stay in their message', () => {
    const call = { toolUse: { toolUseId: 'A', name: 'nova_grounding', input: {}, type: 'server_tool_use' } }
    const found = { toolResult: { toolUseId: 'A', content: [], type: 'nova_grounding_result' } }
    const history = [hi, replies(call, found, words()), hi]
    expect(heal(history, options)).toBe(history)
    expect(heal([hi, replies(found, words()), hi], options)[1]).toEqual(replies(words()))
  })

  test('unsigned reasoning goes, and what it led to stays', () => {
    expect(heal([hi, replies(reasoning(), words()), hi], options)[1]).toEqual(replies(words()))
  })

  test('a request without tools declares those that its history used', () => {
    const { body } = healRequest({ modelId: 'm', messages: [hi, replies(toolUse('A')), asks(toolResult('A'))] })
    expect((body as Record<string, unknown>).toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
    })
  })

  test('media are written as blocks where the wire has one', () => {
    const { write } = pieces.bedrock
    const sheet = {
      kind: 'media',
      type: 'file',
      mime: 'application/pdf',
      data: 'JVBERg==',
      name: 'Q3_plan (v2).pdf',
    } as const
    expect(write(sheet, 'user')).toEqual({
      document: { format: 'pdf', name: 'Q3 plan (v2)', source: { bytes: 'JVBERg==' } },
    })
    expect(write({ kind: 'media', type: 'video', url: 's3://films/one.mov' }, 'result')).toEqual({
      video: { format: 'mov', source: { s3Location: { uri: 's3://films/one.mov' } } },
    })
    expect(write({ kind: 'media', type: 'image', url: 'https://example.test/a.png' }, 'user')).toBeUndefined()
    expect(write({ kind: 'media', type: 'image', mime: 'image/tiff', data: 'SUkq' }, 'user')).toBeUndefined()
    expect(write({ kind: 'media', type: 'audio', mime: 'audio/mpeg', data: 'SUQz' }, 'result')).toBeUndefined()
    expect(write({ kind: 'media', type: 'image', data: 'iVBORw==' }, 'assistant')).toBeUndefined()
  })
})

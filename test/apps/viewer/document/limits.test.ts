import { expect, test } from 'vitest'
import { bmp, png } from '../../../../src/core/rules/example-media.ts'
import { healRequest } from '../../../../src/index.ts'
import { openValue, whole } from './open-history.ts'

const image = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
const text = (words: string) => ({ type: 'text', text: words })
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, ...content: unknown[]) => ({ type: 'tool_result', tool_use_id: id, content })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

const request = (...messages: unknown[]) => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages,
})

/** A row in a few words, as it is drawn at a step. */
async function drawn(value: unknown, step: 'first' | 'last') {
  const { service, opened } = await openValue(value, { for: 'anthropic' })
  const { rows } = await whole(service, step === 'first' ? 0 : opened.steps.length)
  return rows.map(({ role, pieces, touched }) =>
    [role, ...pieces.map(({ kind }) => kind), ...(touched === undefined ? [] : [`(${touched})`])].join(' '),
  )
}

test('[VS20] images beyond the limits are drawn as texts after the repair, each at its own step, and a call without a result next to them', async () => {
  const value = request(
    user(image(png(12_000, 10)), image(png(10, 10)), image(bmp), text('What is this?')),
    assistant(use('toolu_1')),
    user(result('toolu_1', image(png(10, 9000)), text('A tower.'))),
    assistant(use('toolu_2')),
    user(text('Go on.')),
  )
  const { opened, service } = await openValue(value, { for: 'anthropic' })
  expect(opened.steps.map(({ description }) => description)).toEqual([
    'Change a part: the image becomes a text: the provider does not read image/bmp',
    'Change a part: the image becomes a text: a side is longer than 8000 px',
    'Change the result of look (toolu_1): the image becomes a text: a side is longer than 8000 px',
    'Add a placeholder for look (toolu_2): no result was recorded',
  ])
  expect(opened.diagnostics.map(({ rule, rows, steps }) => [rule, rows, steps])).toEqual([
    ['unsupported-image', [0], [0, 1]],
    ['oversized-image', [0], [1, 2]],
    ['oversized-image', [2], [2, 3]],
    ['unanswered-call', [3], [3, 4]],
  ])
  expect(await drawn(value, 'first')).toEqual([
    'user image image image text',
    'assistant call',
    'tool result',
    'assistant call',
    'user text',
  ])
  expect(await drawn(value, 'last')).toEqual([
    'user text image text text (changed)',
    'assistant call',
    'tool result (changed)',
    'assistant call',
    'tool result (new)',
    'user text',
  ])
  const { blocks } = await service.content(opened.steps.length, 0)
  expect(JSON.stringify(blocks[0])).toContain('[image removed: image/png, 12000x10 px')
  expect(JSON.parse((await service.healed()) ?? '')).toEqual(healRequest(value, { for: 'anthropic' }).body)
})

test('[VS20] an image that moves to a message of its own is drawn there, with the other repairs in their places', async () => {
  const value = request(
    user(text('Draw.')),
    assistant(image(png(10, 10)), use('toolu_1')),
    user(result('toolu_1', text('Done.'))),
    assistant(use('toolu_2')),
    user(text('Go on.')),
  )
  expect(await drawn(value, 'last')).toEqual([
    'user text',
    'assistant text call (changed)',
    'tool result',
    'user text image (new)',
    'assistant call',
    'tool result (new)',
    'user text',
  ])
})

test('[VS20] tools and cache marks that were repaired are diagnostics without steps', async () => {
  const value = { ...request(user(text('Hello'))), tools: [1, 2].map(() => ({ name: 'look', input_schema: {} })) }
  const { opened } = await openValue(value, { for: 'anthropic' })
  expect(opened.diagnostics.map(({ rule, steps }) => [rule, steps])).toEqual([['repeated-tool', undefined]])
  expect(opened.steps).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../../../../src/apps/cli/dialect-verdicts.ts'
import type { Subject } from '../../../../src/apps/cli/input/subject.ts'
import { failures } from '../../../../src/apps/demo-failures.ts'
import { createDocumentService } from '../../../../src/apps/viewer/document/create-document-service.ts'
import { connectDocumentService, type Port, serveDocuments } from '../../../../src/apps/viewer/document/worker-rpc.ts'
import type { DocumentService, ProviderVerdict } from '../../../../src/apps/viewer/document-service.ts'
import { planFor } from '../../../../src/heal/options.ts'
import { assistant, calls, openValue, result, user, whole } from './open-history.ts'

const broken = [
  user('Weather in Paris and Rome?'),
  calls('Paris', 'Rome'),
  user('Hurry!'),
  result('Paris', 'SUNNY \u00c4\u00d6'),
  result('nobody', '{"degrees":20}'),
  assistant('Sunny.'),
]

test('[VS14] words are found in any case: in texts, names, ids and the JSON of inputs and results', async () => {
  const { service, opened } = await openValue(broken)
  expect(await service.search(0, 'sunny')).toEqual([3, 5])
  expect(await service.search(0, '  \u00e4\u00f6 ')).toEqual([3])
  expect(await service.search(0, 'GET_WEATHER')).toEqual([1])
  expect(await service.search(0, 'nobody')).toEqual([4])
  expect(await service.search(0, '"degrees":20')).toEqual([4])
  expect(await service.search(0, '"city":"rome"')).toEqual([1])
  expect(await service.search(0, ' ')).toEqual([])
  expect(await service.search(opened.steps.length, 'degrees')).toEqual([6])
  expect(await service.search(opened.steps.length, 'OF THIS CALL was recorded')).toEqual([3])
})

test('[VS14] a message is followed from one step to another', async () => {
  const { service, opened } = await openValue(broken)
  const end = opened.steps.length
  expect(await service.follow(0, 2, end)).toBe(4)
  expect(await service.follow(end, 4, 0)).toBe(2)
  expect(await service.follow(0, 4, end)).toBe(6)
  expect(await service.follow(end, 3, 0)).toBeUndefined()
  expect(await service.follow(0, 99, end)).toBeUndefined()
})

test('[VS15] each step has a description, and each diagnostic a reason', async () => {
  const { opened } = await openValue(broken)
  expect(opened.steps.map(({ description }) => description)).toEqual([
    'Add a message with the call of unknown_tool (nobody): no call has the id nobody of this result',
    'Move the result of get_weather (Paris) after its call',
    'Add a placeholder for get_weather (Rome): no result was recorded',
  ])
  expect(opened.diagnostics.map(({ rule, rows, steps }) => [rule, rows, steps])).toEqual([
    ['orphan-result', [4], [0, 1]],
    ['interleaved-message', [2, 3, 1], [1, 2]],
    ['unanswered-call', [1], [2, 3]],
  ])
  expect(opened.diagnostics[0].why).toBe(
    'Its call was removed or never stored, and every request with this result is rejected.',
  )
  expect(opened.diagnostics[2].refusal).toContain('did not have response messages: Rome')
})

test('[VS15] joined content is not described as dropped', async () => {
  const { opened } = await openValue([
    user('Weather?'),
    calls('Paris'),
    calls('Rome'),
    result('Paris', 'sunny'),
    result('Rome', 'wet'),
  ])
  expect(opened.steps.map(({ description }) => description)).toEqual([
    'Join another message into the message that calls get_weather (Paris)',
    'Remove the message that calls get_weather (Rome): its content is in another message now',
  ])
})

test('[VS15] a row shows what the edits have changed', async () => {
  const { service } = await openValue(broken)
  const touched = async (step: number) => (await whole(service, step)).rows.map(row => row.touched)
  expect(await touched(0)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
  expect(await touched(2)).toEqual([undefined, undefined, 'moved', undefined, 'new', undefined, undefined])
  expect(await touched(3)).toEqual([undefined, undefined, 'moved', 'new', undefined, 'new', undefined, undefined])
  const { rows } = await whole(service, 3)
  expect(rows[3]).toMatchObject({
    pieces: [{ kind: 'result', label: 'get_weather', id: 'Rome', error: true, placeholder: true }],
  })
  expect(rows[3].at).toBeUndefined()
})

test('[VS15] remaining diagnostics are in the margin at the first and the last step', async () => {
  const { service, opened } = await openValue([user('Hello?'), user('Hello?'), calls('Paris'), assistant('Hm.')])
  expect(opened.diagnostics.map(({ rule, severity, steps }) => [rule, severity, steps])).toEqual([
    ['unanswered-call', 'error', [0, 1]],
    ['repeated-user-message', 'warning', undefined],
  ])
  const rowsWithDiagnostics = async (step: number) => (await whole(service, step)).rows.map(row => row.diagnostics)
  expect(await rowsWithDiagnostics(0)).toEqual([[], [1], [0], []])
  expect(await rowsWithDiagnostics(1)).toEqual([[], [1], [], [], []])
})

describe('verdicts', () => {
  const toldOf = async (service: DocumentService): Promise<ProviderVerdict[]> => {
    const told: ProviderVerdict[] = []
    await service.verdicts(verdict => told.push(verdict))
    return told
  }

  test.each(failures)(
    '[VS16] $title: every provider gets the verdict of the command line',
    async ({ history, format }) => {
      const { service, opened } = await openValue(history, { format })
      const told = await toldOf(service)
      const plan = planFor(history, { format })
      const expected = verdictsOf({ history, options: { format }, plan } as unknown as Subject)
      expect(told.map(({ dialect, rejected }) => [dialect, rejected])).toEqual(
        expected.map(({ for: dialect, refused }) => [dialect, refused]),
      )
      expect(told.map(({ dialect }) => dialect)).toEqual(opened.dialects)
      for (const [index, { rules }] of told.entries()) {
        const { diagnostics } = expected[index]
        const errors = Object.values(rules).reduce((sum, { errors }) => sum + errors, 0)
        expect(errors).toBe(diagnostics.filter(({ severity }) => severity === 'error').length)
        expect(new Set(Object.keys(rules))).toEqual(new Set(diagnostics.map(({ rule }) => rule)))
      }
    },
  )

  test('[VS16] only providers that accept the format are checked', async () => {
    const { service, opened } = await openValue([{ role: 'user', parts: [{ text: 'Hi' }] }])
    expect(opened).toMatchObject({ format: 'gemini', dialects: ['gemini', 'vertex', 'lenient'] })
    expect((await toldOf(service)).map(({ dialect }) => dialect)).toEqual(['gemini', 'vertex', 'lenient'])
  })

  test('[VS16] while providers are checked, windows are answered; another document stops the check', async () => {
    const { service, opened } = await openValue(broken)
    const told: ProviderVerdict[] = []
    const asking = service.verdicts(verdict => told.push(verdict))
    expect((await whole(service)).rows.length).toBe(6)
    expect(told.length).toBeLessThan(opened.dialects.length)
    await service.open({ kind: 'history', name: 'other', value: [user('Hi')] })
    const before = told.length
    await asking
    expect(told.length).toBe(before)
  })
})

describe('hostile values', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)

  test('[VS17] values too deep for a tree are text, and nothing fails', async () => {
    const input = JSON.stringify(`{"a":${deep}}`)
    const text = `[
      {"role":"user","content":[{"type":"odd","x":${deep}}]},
      {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${input}}}]},
      {"role":"tool","tool_call_id":"a","content":${deep}},
      {"role":"tool","tool_call_id":"b","content":${deep}}]`
    const { service, opened } = await openValue(JSON.parse(text))
    expect(opened).toMatchObject({ rows: 4, healedRows: 5 })
    const { rows } = await whole(service)
    expect(rows.map(({ size }) => size >= 200_000)).toEqual([true, true, true, true])
    for (const row of rows) {
      expect(row.words.length).toBe(240)
      const { blocks } = await service.content(0, row.index)
      expect(blocks.map(({ kind }) => kind)).toEqual(['text'])
      expect(blocks[0].kind === 'text' && blocks[0].text.length).toBeGreaterThan(199_990)
    }
    expect(await service.search(0, '[[[]]]')).toEqual([0, 1, 2, 3])
    expect(JSON.parse((await service.healed()) as string)).toHaveLength(5)
  })

  test('[VS17] keys like __proto__ are shown as they are, and lone surrogates as a replacement character', async () => {
    const value = JSON.parse(
      '[{"role":"user","content":"\\ud800 half \\u202eturned\\nline"},{"role":"assistant","content":null,"tool_calls":[{"id":"__proto__","type":"function","function":{"name":"constructor","arguments":"{\\"__proto__\\":{\\"a\\":1}}"}}]},{"role":"tool","tool_call_id":"__proto__","content":"<script>alert(1)</script>"}]',
    )
    const { service } = await openValue(value)
    const { rows, arcs } = await whole(service)
    expect(rows.map(({ words }) => words)).toEqual([
      '\ufffd half turned line',
      'constructor({"__proto__":{"a":1}})',
      '<script>alert(1)</script>',
    ])
    expect(arcs).toEqual([{ kind: 'paired', name: 'constructor', id: '__proto__', from: 1, to: 2, lane: 0 }])
    const [block] = (await service.content(0, 1)).blocks
    expect(block.kind === 'json' && JSON.stringify(block.value)).toBe('{"__proto__":{"a":1}}')
  })

  test('[VS17] text is cut between characters', async () => {
    const { service } = await openValue([user('\u{1f389}'.repeat(1000)), user(`a${'\u{1f389}'.repeat(1000)}`)])
    for (const { words } of (await whole(service)).rows) {
      expect(words.isWellFormed()).toBe(true)
      expect(words.length).toBeLessThanOrEqual(240)
      expect(words.length).toBeGreaterThan(230)
      expect(words.endsWith('\u2026')).toBe(true)
    }
  })

  test('[VS17] twenty thousand calls with one id, each with a diagnostic, can be opened', async () => {
    const many = 20_000
    const function_ = (city: number) => ({ name: 'get_weather', arguments: `{"city":${city}}` })
    const tool_calls = Array.from({ length: many }, (_, city) => ({
      id: 'same',
      type: 'function',
      function: function_(city),
    }))
    const value = [user('Go'), { role: 'assistant', content: null, tool_calls }, assistant('Done.')]
    const { service, opened } = await openValue(value)
    expect(opened.counts.unanswered).toBe(many)
    expect(opened.steps.length).toBeGreaterThanOrEqual(many)
    const { rows } = await service.window(opened.steps.length, opened.healedRows - 2, opened.healedRows)
    expect(rows.map(({ role }) => role)).toEqual(['tool', 'assistant'])
    expect((await service.window(many >> 1, 0, 1)).rows.length).toBe(1)
  })
})

describe('contents', () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  test('[VS18] image data in the history is an image; a URL is not', async () => {
    const picture = (url: string) => ({ type: 'image_url', image_url: { url } })
    const urls = [
      `data:image/png;base64,${dot}`,
      'https://example.com/a.png',
      `data:image/svg+xml;base64,${dot}`,
      'data:image/png;base64,"><script>',
    ]
    const { service } = await openValue([user([{ type: 'text', text: 'Look:' }, ...urls.map(picture)])])
    const { blocks } = await service.content(0, 0)
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'image', 'json', 'json', 'json'])
    expect(blocks[1]).toEqual({ kind: 'image', title: 'image', url: urls[0] })
    expect((await whole(service)).rows[0].pieces.map(({ kind }) => kind)).toEqual([
      'text',
      'image',
      'image',
      'image',
      'image',
    ])
  })

  test('[VS18] image data in a result is an image, and its text is text', async () => {
    const content = [
      { type: 'text', text: '{"ok":true}' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
    ]
    const { service } = await openValue([
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: [1, 2] } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ])
    expect((await service.content(0, 1)).blocks).toEqual([{ kind: 'json', title: 'look', value: { at: [1, 2] } }])
    expect((await service.content(0, 2)).blocks).toEqual([
      { kind: 'json', title: 'result', value: { ok: true } },
      { kind: 'image', title: 'result', url: `data:image/png;base64,${dot}` },
    ])
  })
})

describe('over a channel', () => {
  /** A document service at the other end of a message channel, which clones all messages. */
  async function linked(use: (service: DocumentService) => Promise<void>): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    serveDocuments(createDocumentService(), port2 as unknown as Port)
    const service = connectDocumentService(port1 as unknown as Port)
    port1.start()
    port2.start()
    try {
      await use(service)
    } finally {
      port1.close()
      port2.close()
    }
  }

  test('[VS19] everything is answered as by the document service itself', () =>
    linked(async service => {
      const { service: own, opened } = await openValue(broken)
      const document = { kind: 'history', name: 'chat.json', value: broken } as const
      expect(await service.open(document)).toEqual(opened)
      expect(await service.window(1, 0, 3)).toEqual(await own.window(1, 0, 3))
      expect(await service.content(0, 1)).toEqual(await own.content(0, 1))
      expect(await service.search(0, 'sunny')).toEqual([3, 5])
      expect(await service.follow(0, 2, 3)).toBe(4)
      expect(await service.healed()).toBe(await own.healed())
      expect(await service.request(1)).toBeUndefined()
      await expect(service.inspection()).rejects.toThrow('not a tape')
      const told: ProviderVerdict[] = []
      await service.verdicts(verdict => told.push(verdict))
      expect(told.map(({ dialect }) => dialect)).toEqual(opened.dialects)
      expect((await service.open(document, { for: 'mistral' })).dialect).toBe('mistral')
      expect(await service.open(JSON.stringify(document))).toEqual(opened)
    }))

  test('[VS19] a document too deep to be cloned arrives too', () =>
    linked(async service => {
      const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
      const document = {
        kind: 'history',
        name: 'deep',
        value: [user('Hi'), assistant('Ho'), { ...user('Deep'), more: deep }],
      } as const
      expect((await service.open(document)).rows).toBe(3)
      expect((await service.content(0, 2)).blocks.length).toBe(1)
      expect((await service.open(document, { for: 'mistral' })).rows).toBe(3)
    }))
})

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { cline } from '../../../../src/doctor/systems/cline/index.ts'
import { filesIn } from '../../chat/samples.ts'
import { all, inFolder, state } from '../../contract.ts'
import { written } from './subject.ts'

type Json = Record<string, unknown>

const text = (words: string): Json => ({ type: 'text', text: words })
const call = (id: string): Json => ({ type: 'tool_use', id, name: 'read_file', input: { path: `${id}.ts` } })
const result = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, content: `the file of ${id}` })
const said = (role: string, content: readonly Json[], more: Json = {}): Json => ({ role, content, ts: 1, ...more })

const gone = { condenseParent: 'summary-1' }
const summary = { isSummary: true, condenseId: 'summary-1' }

/** The messages after a fix, and what was found. */
async function fixed(messages: readonly Json[], deletedRange?: readonly [number, number]) {
  return inFolder(async folder => {
    const store = written(folder, messages)
    const [file] = filesIn(folder, 'history.json')
    if (deletedRange)
      writeFileSync(
        join(dirname(file), 'ui_messages.json'),
        JSON.stringify([{ ts: 1 }, { ts: 2, conversationHistoryDeletedRange: deletedRange }]),
      )
    const [one] = await all(examineStores([store], { systems: [cline], fix: true, backups: `${folder}-backups` }))
    if (one?.kind !== 'conversation') expect.fail('it was not recognised')
    const found = one.examination.repairs.map(({ rule, at }) => `${rule} at ${at}`)
    const shown = one.examination.draw?.().records.length
    const [after] = await all(examineStores([store], { systems: [cline] }))
    return {
      found,
      failure: one.failure,
      shown,
      after: after && state(after),
      history: JSON.parse(readFileSync(file, 'utf8')),
    }
  })
}

const healthy: readonly (readonly [string, readonly Json[]])[] = [
  [
    'the summary has the call of a result that was kept',
    [
      said('user', [text('Do it.')]),
      said('assistant', [call('a')], gone),
      said('user', [result('a')], gone),
      said('assistant', [call('b')], gone),
      said('assistant', [text('So far.'), call('b')], summary),
      said('user', [result('b')]),
      said('assistant', [call('c')]),
      said('user', [result('c')]),
    ],
  ],
  [
    'a result of a call that was summarized',
    [
      said('user', [text('Do it.')], gone),
      said('assistant', [call('a')], gone),
      said('user', [text('So far.')], summary),
      said('user', [result('a'), text('Rejected.')]),
      said('assistant', [call('b')]),
      said('user', [result('b')]),
    ],
  ],
  [
    'a summarized call without a result',
    [said('assistant', [call('a')], gone), said('user', [text('So far.')], summary), said('assistant', [text('Yes.')])],
  ],
  [
    'messages that no longer fit',
    [
      said('user', [text('Do it.')]),
      said('assistant', [call('a')], { truncationParent: 'marker-1' }),
      said('user', [text('4 messages hidden')], { isTruncationMarker: true, truncationId: 'marker-1' }),
      said('assistant', [text('Yes.')]),
    ],
  ],
]

test.each(healthy)('[SE611] a task of Roo Code with a summary stays as it is: %s', async (_, messages) => {
  expect(await fixed(messages)).toMatchObject({ found: [], history: messages })
})

test('[SE611] what a summary replaced stays, and the messages after it are repaired', async () => {
  const before = [said('user', [text('Do it.')], gone), said('assistant', [call('a')], gone)]
  const since = [said('user', [text('So far.')], summary), said('user', [result('a'), text('No.')])]
  const { found, after, history } = await fixed([
    ...before,
    ...since,
    said('assistant', [call('b')]),
    said('user', [text('And?')]),
  ])
  expect(found).toEqual(['unanswered-call at messages[4].content[0]'])
  expect(after).toBe('healthy')
  expect(history.slice(0, 4)).toEqual([...before, ...since])
  expect(history[5]).toMatchObject({ content: [{ type: 'tool_result', tool_use_id: 'b' }, text('And?')] })
})

test('[SE611] messages whose summary was removed are sent again, and repaired', async () => {
  const { found } = await fixed([
    said('user', [text('Do it.')], gone),
    said('assistant', [call('a')], gone),
    said('user', [text('And?')]),
  ])
  expect(found).toEqual(['unanswered-call at messages[1].content[0]'])
})

const reasonings: readonly (readonly [string, Json])[] = [
  ['of Cline, without a signature', { type: 'thinking', thinking: 'Hm.', signature: '' }],
  ['of Roo Code', { type: 'reasoning', text: 'Hm.', summary: [] }],
  ['of Roo Code, encrypted', { type: 'reasoning', encrypted_content: 'x', id: 'rs_1', summary: [] }],
]

test.each(reasonings)('[SE612] reasoning %s is not a defect of a task, and no repair removes it', async (_, block) => {
  const step = (id: string) => said('assistant', [block, text('I read it.'), call(id)])
  const whole = [said('user', [text('Do it.')]), step('a'), said('user', [result('a')])]
  expect(await fixed(whole)).toMatchObject({ found: [], history: whole })
  const { found, after, history } = await fixed([...whole, step('b'), said('user', [text('And?')])])
  expect({ found, after }).toEqual({ found: ['unanswered-call at messages[3].content[2]'], after: 'healthy' })
  expect(history.slice(0, 4)).toEqual([...whole, step('b')])
})

test('[SE612] a task with reasoning as an element of its own is recognised, and keeps it', async () => {
  const reasoning = { type: 'reasoning', encrypted_content: 'x', id: 'rs_1', summary: [], ts: 1 }
  const { found, after, history } = await fixed([
    said('user', [text('Do it.')]),
    reasoning,
    said('assistant', [call('a')]),
    said('user', [text('And?')]),
  ])
  expect({ found, after }).toEqual({ found: ['unanswered-call at messages[2].content[0]'], after: 'healthy' })
  expect(history[1]).toEqual(reasoning)
})

test('[SE614] what Cline has deleted from the beginning of a task stays, and so do the places of all messages there', async () => {
  const begin = [said('user', [text('Do it.')]), said('assistant', [call('a')])]
  const deleted = [said('user', [result('lost')]), said('assistant', [call('b')])]
  const rest = [said('user', [result('b'), text('Next.')]), said('assistant', [call('c')])]
  const whole = [...begin, ...deleted, ...rest, said('user', [result('c')])]
  expect(await fixed(whole, [2, 3])).toMatchObject({ found: [], history: whole, shown: whole.length })
  const { found, after, history } = await fixed([...begin, ...deleted, ...rest, said('user', [text('And?')])], [2, 3])
  expect({ found, after }).toEqual({ found: ['unanswered-call at messages[5].content[0]'], after: 'healthy' })
  expect(history.slice(0, 6)).toEqual([...begin, ...deleted, ...rest])
  expect(history[6]).toMatchObject({ content: [{ type: 'tool_result', tool_use_id: 'c' }, text('And?')] })
})

import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Message, Part } from '../../src/core/conversation.ts'
import { type JudgeFormat, type Judgement, judge } from '../../src/doctor/judge.ts'
import { MessageAssembler, type RecordContent, storeFormat } from '../../src/doctor/record-format.ts'

const format = storeFormat({ root: '', locate: ({ origin }, part) => `record ${part?.slot ?? origin}` })

const call = (id: string): RecordContent =>
  said({ kind: 'call', id, name: 'f', input: {}, callKind: 'function', by: 'client' })
const result = (id: string, content = `of ${id}`): RecordContent => ({
  role: 'tool',
  parts: [{ kind: 'result', id, content, callKind: 'function', by: 'client' }],
})
const said = (part: Part): RecordContent => ({ role: 'assistant', parts: [part] })
const text = (text: string): RecordContent => said({ kind: 'text', text })
const user: RecordContent = { role: 'user', parts: [{ kind: 'text', text: 'go' }] }

function judged(contents: readonly RecordContent[], more: Partial<JudgeFormat> = {}): Judgement {
  const reading = new MessageAssembler()
  for (const [record, content] of contents.entries()) reading.push(record, [content])
  return judge(reading.messageRecords, { format, dialect: 'openai', ...more })
}

const rules = ({ repairs, remaining }: Judgement): string[] => [
  ...repairs.map(({ rule, at }) => `${rule} at ${at}`),
  ...remaining.map(({ rule, at }) => `${rule} remains at ${at}`),
]

/** The ids and texts of the messages after the repair, in order. */
const repaired = ({ messages }: Judgement): string[] =>
  messages.flatMap(({ parts }: Message) =>
    parts.map(part => ('id' in part ? `${part.kind} ${part.id}` : part.kind === 'text' ? part.text : part.kind)),
  )

describe('what a store tells about its records', () => {
  test('[DD41] where one program wrote all ids, a result answers no call with another id', () => {
    const contents = [user, call('a'), result('x'), user]
    expect(rules(judged(contents))).toEqual(['empty-id at record 2'])
    const exact = judged(contents, { format: { ...format, exactIds: true } })
    expect(rules(exact)).toEqual(['orphan-result at record 2', 'unanswered-call at record 1'])
    const nameless = judged([user, call('a'), result('')], { format: { ...format, exactIds: true } })
    expect(rules(nameless)).toEqual(['empty-id at record 2'])
  })

  test('[DD42] where results may come late within their turn, they move only from after a user message', () => {
    const facts = { lateResults: 'accept-in-turn' } as const
    const items = { format: { ...format, reasoning: 'items' }, facts } as const
    expect(rules(judged([user, call('a'), text('meanwhile'), result('a')], items))).toEqual([])
    const late = judged([user, call('a'), text('meanwhile'), user, result('a')], items)
    expect(repaired(late)).toEqual(['go', 'call a', 'result a', 'meanwhile', 'go'])
  })

  test('[DD43] what is stored elsewhere counts and is not changed: a defect there remains', () => {
    const isFixed = ({ slot = 0 }: Part): boolean => slot < 3
    const contents = [user, call('a'), result('x'), user, result('y')]
    const found = judged(contents, { isFixed, format: { ...format, exactIds: true } })
    expect(rules(found)).toEqual([
      'orphan-result at record 4',
      'unanswered-call at record 1',
      'orphan-result remains at record 2',
    ])
    expect(repaired(found)).toEqual(['go', 'call a', 'result a', 'result x', 'go'])
  })

  test('[DD44] a store gives new ids in its own form; where it has no room, the defect remains', () => {
    const contents = [user, call('a'), result('a'), user, call('a'), result('a', 'new'), call(''), result('')]
    const facts = { uniqueIds: 'history' } as const
    const fresh = judged(contents, { facts, freshId: ({ slot }) => `id-${slot}` })
    expect(repaired(fresh).slice(4)).toEqual(['call id-4', 'result id-4', 'call id-6', 'result id-6'])
    expect(rules(judged(contents, { facts, freshId: () => undefined }))).toEqual([
      'empty-id remains at record 6',
      'duplicate-call-id remains at record 4',
    ])
  })

  test('[DD45] where only its id binds reasoning to what it led to, the reasoning stays without it', () => {
    const reasoning = said({ kind: 'reasoning', text: 'hm', signed: true, itemId: 'rs_1' })
    const items = { ...format, reasoning: 'items' } as const
    const found = judged([user, reasoning, user], { format: items, facts: { loneReasoning: 'refuse-named' } })
    expect(rules(found)).toEqual(['reasoning-without-follower at record 1'])
    expect(found.messages[1]?.parts).toEqual([{ kind: 'reasoning', text: 'hm', signed: true, slot: 1 }])
    const dropped = judged([user, reasoning, user], { format: items, facts: { loneReasoning: 'refuse' } })
    expect(repaired(dropped)).toEqual(['go', 'go'])
  })
})

test('[D634] what is kept of a large content does not keep all of it in memory', () => {
  const file = pathToFileURL(`${import.meta.dirname}/../../src/doctor/record-format.ts`).href
  const program = `
    const { shortContent } = await import(${JSON.stringify(file)})
    const kept = Array.from({ length: 5_000 }, () => shortContent(Buffer.alloc(100_000, 'x').toString()))
    if (kept.some(text => text.length > 1_000)) throw new Error('it is not cut')`
  const args = ['--max-old-space-size=150', '--input-type=module', '-e', program]
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: 0 })
})

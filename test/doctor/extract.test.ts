import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '../../src/core/conversation.ts'
import { resultText } from '../../src/core/conversation.ts'
import { applyEdits } from '../../src/core/edit.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { sessionMessages } from '../../src/doctor/extract/session.ts'
import { toChat } from '../../src/doctor/extract/to-chat.ts'
import { toMarkdown } from '../../src/doctor/extract/to-markdown.ts'
import type { System } from '../../src/doctor/system.ts'
import { check } from '../../src/heal/heal.ts'
import { inDatabase } from './chat/sqlite-store.ts'
import { bytesOf, inFolder } from './contract.ts'
import { subjects } from './subjects.ts'

/** Whatever was written a moment ago counts as over. */
const now = Date.now() + 24 * 3_600_000

test.each(subjects.map(subject => [subject.tag, subject] as const))(
  '[C151] %s: every text, call and result of a corrupted store is extracted, in messages that are paired',
  async (_, subject) => {
    let calls = 0
    for (const seed of [1, 2, 3, 4])
      await inFolder(async folder => {
        const path = await subject.corrupted(seed, folder)
        for await (const one of examineStores([path], { systems: [subject.system], now })) {
          if (one.kind !== 'conversation' || !one.examination.draw) continue
          const drawing = one.examination.draw()
          const { repairs, remaining } = drawing
          const messages = sessionMessages(drawing)
          const session = { system: subject.system.id, id: one.id, path, messages, repairs, remaining }
          const healed = applyEdits(
            drawing.messages,
            repairs.flatMap(({ edits }) => edits),
          )
          const markdown = toMarkdown(session)
          const chat = toChat(session)
          for (const text of textsOf(healed)) {
            expect(markdown.replaceAll(/^> /gm, ''), `seed ${seed}`).toContain(text)
            expect(JSON.stringify(chat)).toContain(JSON.stringify(text).slice(1, -1))
          }
          const found = messages.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'))
          calls += found.length
          expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
          if (found.some(({ result }) => !result)) continue
          const pairing = check(chat, { format: 'openai-chat', for: 'lenient' }).filter(({ rule }) =>
            ofPairing.has(rule),
          )
          expect(pairing, `seed ${seed}`).toEqual([])
        }
      })
    expect(calls).toBeGreaterThan(3)
  },
)

const ofPairing = new Set([
  'unanswered-call',
  'orphan-result',
  'duplicate-result',
  'misplaced-result',
  'duplicate-call-id',
])

/** What people and tools said, after the repair. */
const textsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap(part => {
      if (part.kind === 'text' || part.kind === 'reasoning') return part.text.trim() === '' ? [] : [part.text]
      return part.kind === 'result' ? [resultText(part)] : []
    }),
  )

/** A drawing of these has no texts of results, or their store holds texts in a binary form. */
const notLengthened = new Set(['instatic', 'openhands', 'langgraph', 'zed'])

test.each(
  subjects.filter(({ system }) => !notLengthened.has(system.id)).map(subject => [subject.system.id, subject] as const),
)('[C151] %s: a long result is extracted to its end', async (_, subject) => {
  let found = 0
  for (let seed = 1; seed < 9 && found === 0; seed++)
    await inFolder(async folder => {
      const path = await subject.healthy(seed, folder)
      const words = (await resultsAt(path, subject.system)).flatMap(text => /\bw\d+\b/.exec(text) ?? [])
      // A compressed file has no words.
      const word = words.find(one => Object.values(bytesOf(folder)).some(text => text.includes(one)))
      if (word === undefined) return
      const long = `${word}${'y'.repeat(5_000)}`
      lengthen(folder, new RegExp(`\\b${word}\\b`, 'g'), long)
      const results = await resultsAt(path, subject.system)
      expect(results.filter(text => text.includes(word)).map(text => text.includes(long))).toContain(true)
      found++
    })
  expect(found).toBe(1)
})

async function resultsAt(path: string, system: System): Promise<string[]> {
  const found: string[] = []
  for await (const one of examineStores([path], { systems: [system], now }))
    if (one.kind === 'conversation' && one.examination.draw)
      for (const { parts } of sessionMessages(one.examination.draw()))
        for (const part of parts) if (part.kind === 'call' && part.result) found.push(part.result.text)
  return found
}

/** Replaces a word in all files of a store, and in all texts of a database. */
function lengthen(folder: string, word: RegExp, long: string): void {
  for (const [name] of Object.entries(bytesOf(folder))) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    if (!bytes.toString('latin1').startsWith('SQLite format 3')) {
      writeFileSync(file, bytes.toString().replaceAll(word, long))
      continue
    }
    inDatabase(file, database => {
      database.function('lengthened', text => String(text).replaceAll(word, long))
      const tables = database
        .prepare("select name from sqlite_schema where type = 'table' and name not like '%fts%'")
        .all()
      for (const { name: table } of tables)
        for (const { name: column } of database.prepare('select name from pragma_table_info(?)').all(table ?? ''))
          database.exec(
            `update "${table}" set "${column}" = lengthened("${column}") where typeof("${column}") = 'text' and "${column}" <> lengthened("${column}")`,
          )
    })
  }
}

test('[C151] a fence is longer than any in the text, and calls without ids of their own get one', () => {
  const call = (input: unknown, text: string) =>
    [
      { kind: 'call', id: '', name: 'run', input, callKind: 'function', by: 'client' },
      { kind: 'result', id: '', content: text, callKind: 'function', by: 'client' },
    ] as const
  const messages: Message[] = [
    { key: 0, role: 'user', parts: [{ kind: 'text', text: 'Go.' }] },
    ...[call('{"a":1}', '```\ninside\n```'), call('not json', 'two')].flatMap(([one, result], index): Message[] => [
      { key: 2 * index + 1, role: 'assistant', parts: [one] },
      { key: 2 * index + 2, role: 'tool', parts: [result] },
    ]),
  ]
  const read = sessionMessages({ messages, repairs: [], remaining: [], records: [] })
  expect(toChat({ messages: read })).toEqual([
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '```\ninside\n```' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_2', type: 'function', function: { name: 'run', arguments: 'not json' } }],
    },
    { role: 'tool', tool_call_id: 'call_2', content: 'two' },
  ])
  const named = { system: 'toy', id: 's', path: 'p', repairs: [], remaining: [] }
  expect(toMarkdown({ ...named, messages: read })).toContain('````\n```\ninside\n```\n````')
})

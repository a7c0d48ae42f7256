import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ConversationResult, examineStores } from '../../src/doctor/doctor.ts'
import { readHistory } from '../../src/doctor/files/read-history.ts'
import { systems } from '../../src/doctor/systems.ts'
import { all, inFolder } from '../doctor/contract.ts'

const call = (city: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } }],
})
const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_1', content })

/** Two healthy conversations, as a log has them. */
const log = (field: string, first: unknown, second: unknown): object[] => [
  { [field]: first, role: 'user', content: 'Paris?' },
  { [field]: first, ...call('Paris') },
  { [field]: second, role: 'user', content: 'Rome?' },
  { [field]: first, ...result('sunny') },
  { [field]: second, ...call('Rome') },
  { [field]: first, role: 'assistant', content: 'Sunny in Paris.' },
  { [field]: second, ...result('rain') },
]

const asLines = (messages: readonly object[]): string =>
  messages.map(message => `${JSON.stringify(message)}\n`).join('')

const fixed = async (path: string, folder: string): Promise<ConversationResult[]> =>
  (await all(examineStores([path], { systems, fix: true, backups: join(folder, '..', 'backups') }))).filter(
    one => one.kind === 'conversation',
  )

test.each([
  ['lines', 'log.jsonl', asLines(log('session_id', 's1', 's2'))],
  ['a list', 'rows.json', JSON.stringify(log('conversationId', 1, 2), undefined, 2)],
  [
    'a chat of the AI SDK',
    'chats.json',
    JSON.stringify(
      ['a', 'b', 'a'].map((chatId, index) => ({
        ...{ chatId, id: `m${index}`, role: 'assistant' },
        parts: [{ type: 'tool-look', toolCallId: 'c', state: 'input-available', input: {} }],
      })),
    ),
  ],
])(
  '[SE610] messages of several conversations in one file, which alternate, are not repaired as one history: %s',
  (_, name, text) =>
    inFolder(async folder => {
      const path = join(folder, name)
      writeFileSync(path, text)
      const [one] = await fixed(path, folder)
      expect(one?.backup).toBeUndefined()
      expect(one?.examination.notes.join()).toContain('several conversations')
      expect(readFileSync(path, 'utf8')).toBe(text)
      await expect(readHistory(path, {})).rejects.toThrow('several conversations')
    }),
)

test('[SE610] a session that got another name when it was continued is repaired', () =>
  inFolder(async folder => {
    const path = join(folder, 'session.jsonl')
    writeFileSync(
      path,
      asLines([
        { session_id: 's1', role: 'user', content: 'Paris?' },
        { session_id: 's1', ...call('Paris') },
        { session_id: 's2', role: 'user', content: 'And?' },
      ]),
    )
    const [one] = await fixed(path, folder)
    expect(one?.backup).toBeDefined()
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(5)
    expect((await readHistory(path, {})).history).toHaveLength(4)
  }))

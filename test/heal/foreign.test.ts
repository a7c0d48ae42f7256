import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { type DoctorResult, examineStores } from '../../src/doctor/doctor.ts'
import { systems } from '../../src/doctor/systems.ts'
import { check, createHealer, detect, heal, healRequest, repair } from '../../src/index.ts'
import { type ForeignHistory, foreignHistories } from '../foreign/histories.ts'
import { root } from '../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-foreign-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const broken = foreignHistories.flatMap(({ results, ...history }) =>
  results ? [{ ...history, messages: history.messages.filter((_, index) => !results.includes(index)) }] : [],
)

describe('a healthy list of another library', () => {
  test('[U1] there are many of them', () => {
    expect(foreignHistories.length).toBeGreaterThanOrEqual(90)
    expect(broken.length).toBeGreaterThanOrEqual(45)
    expect(new Set(foreignHistories.map(({ name }) => name)).size).toBe(foreignHistories.length)
  })

  test('[U1] requests are recommended only where they have another format', () => {
    const reason = (name: string): string => {
      const found = foreignHistories.find(({ known }) => known === name)
      return check(found?.messages ?? [])
        .map(({ message }) => message)
        .join()
    }
    expect(reason('LlamaIndex')).toContain('healFetch')
    for (const api of ['old Gemini Interactions', 'OpenAI Realtime'])
      expect(reason(api)).toBe(`this looks like ${api} messages, which are not supported`)
  })

  test.each(foreignHistories)('[U1] comes back as it is: $name', ({ messages, known }) => {
    const { messages: after, changed, repairs, remaining } = repair(messages)
    expect(after).toBe(messages)
    expect({ changed, repairs }).toEqual({ changed: false, repairs: [] })
    expect(remaining.filter(({ rule }) => rule !== 'not-a-history')).toEqual([])
    expect(heal(messages)).toBe(messages)
    if (known !== undefined) expect(remaining.map(({ message }) => message).join()).toContain(known)
  })

  test.each(foreignHistories)('[U1] comes back as it is in a request, and as it grows: $name', ({ messages }) => {
    for (const key of ['messages', 'input', 'contents']) {
      const body = { model: 'some-model', [key]: messages }
      expect(healRequest(body).body).toBe(body)
    }
    const healer = createHealer()
    for (const message of messages) healer.push(message)
    expect(healer.history).toEqual(messages)
  })

  test.each(foreignHistories)('[U2] is not written by the doctor: $name', async history => {
    expect(await doctored(history)).toEqual([])
  })
})

test('[SE65] a list that no codec recognises is examined in time proportional to its length, whatever its fields are called', () => {
  let count = 0
  const names = ['invocation_id', 'parentUuid', 'role', 'tool_calls', 'additional_kwargs']
  const nested = (depth: number): unknown =>
    Object.fromEntries(
      Array.from({ length: 30 }, () => [
        `${names[count % names.length]}${count++}`,
        depth === 0 ? 0 : Array.from({ length: 3 }, () => nested(depth - 1)),
      ]),
    )
  const messages = [nested(2), { role: 'user', content: 'hi' }]
  expect(count).toBeGreaterThan(200_000)
  expect(heal(messages)).toBe(messages)
  expect(check(messages).map(({ rule }) => rule)).toEqual(['not-a-history'])
})

describe('a broken list of another library', () => {
  test.each(broken)('[U3] is not called healthy, and not changed: $name', async history => {
    const { messages } = history
    expect(check(messages)).not.toEqual([])
    expect(repair(messages).messages).toBe(messages)
    expect(await doctored(history)).toEqual([])
  })
})

/** Lets the doctor repair a list, as a document and as lines. What it wrote, and what it called healthy though a call is open. */
async function doctored({ name, messages, isStore }: Omit<ForeignHistory, 'results'>): Promise<string[]> {
  const place = mkdtempSync(join(folder, 'list-'))
  const texts: Record<string, string> = {
    'list.json': JSON.stringify(messages),
    'body.json': JSON.stringify({ id: 'c1', messages }, null, 2),
    ...(isStore ? {} : { 'lines.jsonl': messages.map(message => `${JSON.stringify(message)}\n`).join('') }),
  }
  const found: string[] = []
  for (const [file, text] of Object.entries(texts)) {
    const path = join(place, file)
    writeFileSync(path, text)
    const visits = await visited(path)
    if (readFileSync(path, 'utf8') !== text) found.push(`${name}: ${file} was written`)
    for (const one of visits) if (one.kind === 'conversation' && one.backup) found.push(`${name}: ${file} was repaired`)
  }
  return found
}

async function visited(path: string): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  const options = { systems, fix: true, backups: join(folder, 'backups') }
  for await (const one of examineStores([path], options)) visits.push(one)
  return visits
}

describe('a healthy session of another program', () => {
  const programs = readdirSync(join(root, 'test/foreign/stores'))

  test.each(programs)('[U4] is not written: %s', async program => {
    const store = join(folder, program)
    for (const file of filesBelow(join(root, 'test/foreign/stores', program))) {
      const target = join(store, relative(join(root, 'test/foreign/stores', program), file))
      mkdirSync(dirname(target), { recursive: true })
      if (file.endsWith('.sql')) {
        const database = new DatabaseSync(target.replace(/\.sql$/, '.db'))
        database.exec(readFileSync(file, 'utf8'))
        database.close()
      } else cpSync(file, target)
    }
    const before = filesBelow(store).map(file => [file, readFileSync(file).toString('base64')])
    for (const path of [store, ...filesBelow(store)]) {
      for (const one of await visited(path)) {
        expect(one).not.toHaveProperty('backup')
        if (one.kind === 'conversation') expect([one.path, one.examination.repairs]).toEqual([one.path, []])
      }
    }
    expect(filesBelow(store).map(file => [file, readFileSync(file).toString('base64')])).toEqual(before)
  })
})

const filesBelow = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap(name => filesBelow(join(path, name)))
    : [path]

describe('a history in a known format', () => {
  const steps = (count: number): unknown[] =>
    Array.from({ length: count }, (_, index) => [
      { role: 'user', content: `question ${index}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'search', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `call_${index}`, content: `answer ${index}` },
    ]).flat()

  test('[U5] is recognised despite a message of another library in it', () => {
    const history = steps(40)
    for (const stranger of [
      { role: 'narrator', content: 'Meanwhile' },
      { kind: 'request', parts: [] },
      { type: 'mark' },
    ])
      for (const at of [0, 1, 60, 120])
        expect(detect(history.toSpliced(at, 0, stranger)), `at ${at}`).toBe('openai-chat')
  })

  test('[U5] is recognised with unreadable messages in it', () => {
    for (const junk of [null, 42, 'text', [], {}, { role: null }, { content: 'words' }])
      expect(detect([junk, ...steps(1), junk]), JSON.stringify(junk)).toBe('openai-chat')
  })

  test('[U5] is not recognised where messages of another library are many', () => {
    const history = steps(10).flatMap(message => [message, { role: '_usage', token_count: 1 }])
    expect(detect(history)).toBeUndefined()
    expect(check([...history, ...steps(100)].slice(0, 60))).toMatchObject([{ rule: 'not-a-history' }])
  })

  test('[U30] no call is made up for a result whose call is in a field that is not read', () => {
    const result = { role: 'tool', tool_call_id: 'call_x', content: 'refunded 89 EUR' }
    for (const fields of [
      { function_calls: [{ id: 'call_x' }] },
      { tool_calls: '[{"id": "call_x", "function"' },
      { tool_calls: { id: 'call_x' } },
      { extra: { deep: [{ call: 'call_x' }] } },
    ]) {
      const said = { role: 'assistant', content: 'I look.', ...fields }
      for (const history of [
        [...steps(5), said, result],
        [said, { role: 'assistant', content: 'Wait.' }, result, ...steps(2)],
      ]) {
        expect(detect(history)).toBeUndefined()
        expect(repair(history).messages).toBe(history)
        expect(check(history)).toMatchObject([{ rule: 'not-a-history' }])
      }
    }
    expect(
      repair([...steps(1), { role: 'assistant', content: 'I look.', extra: { call: 'call_y' } }, result]),
    ).toMatchObject({ changed: true, repairs: [{ rule: 'orphan-result' }] })
  })

  test('[U6] a long history that turns into something else is not repaired', () => {
    const history = [...steps(30), ...steps(100).map(message => ({ kind: 'request', parts: [message] }))]
    expect(repair(history).messages).toBe(history)
    expect(check(history)).toMatchObject([{ rule: 'not-a-history' }])
  })
})

describe('a file that is not a history', () => {
  const use = { type: 'tool_use', id: 'toolu_1', name: 'refund', input: {} }
  const call = { id: 'c1', type: 'function', function: { name: 'refund', arguments: '{}' } }
  const singles: readonly object[] = [
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'refunded' }] },
    { id: 'msg_1', type: 'message', role: 'assistant', content: [use], stop_reason: 'tool_use' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'refunded' },
    { role: 'model', parts: [{ functionCall: { name: 'refund', args: {} } }] },
    { type: 'function_call', call_id: 'c1', name: 'refund', arguments: '{}' },
    { type: 'tool', content: 'hammer', tool_call_id: 'H1' },
  ]

  test('[U20] a single message is not written, in whatever file it is', async () => {
    for (const message of singles) {
      const text = JSON.stringify(message)
      const texts = {
        '0001.json': text,
        'pretty.json': JSON.stringify(message, null, 2),
        'line.json': `${text}\n`,
        'message.txt': `${text}\n`,
        'line.jsonl': `${text}\n`,
        'list.json': `[${text}]`,
        'body.json': `{"messages": [${text}]}`,
      }
      expect(await writtenOf(texts), text).toEqual([])
    }
  })

  test('[U21] a file of which a repair would leave no message is not written', async () => {
    const lists: readonly (readonly object[])[] = [
      [
        { type: 'reasoning', id: 'r1', summary: [] },
        { type: 'reasoning', id: 'r2', summary: [] },
      ],
      [
        { type: 'ai', content: '', tool_calls: [], id: 'a' },
        { type: 'ai', content: '', tool_calls: [], id: 'b' },
      ],
      [
        { type: 'tool', content: 'hammer', tool_call_id: 'H1' },
        { type: 'tool', content: 'saw', tool_call_id: 'S1' },
      ],
      [
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'c2', content: 'two' },
      ],
    ]
    for (const list of lists) expect(await writtenOf(filesOf(list)), JSON.stringify(list)).toEqual([])
  })

  test('[U22] a list whose calls and results have no ids at all is not written', async () => {
    const user = { role: 'user', content: 'go' }
    const nameless = { type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
    const lists: readonly (readonly object[])[] = [
      [user, { role: 'assistant', content: null, tool_calls: [nameless] }, { role: 'tool', content: 'x' }],
      [
        user,
        { role: 'assistant', tool_calls: [{ function: nameless.function }] },
        { role: 'tool', name: 'look', content: 'x' },
      ],
      [user, { role: 'assistant', content: '', tool_calls: [nameless] }, user, { role: 'assistant', content: 'done' }],
    ]
    for (const list of lists) expect(await writtenOf(filesOf(list)), JSON.stringify(list)).toEqual([])
  })
})

describe('a database with the columns of the OpenAI Agents SDK', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'refund', arguments: '{}' }
  const chat = [
    { role: 'user', content: 'refund 89 EUR' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'refund', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'refunded 89 EUR' },
  ]
  const events = [{ type: 'click', x: 1 }, call, { role: 'user', content: 'hi' }]
  const log = 'CREATE TABLE log(id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TIMESTAMP);'
  const tied = `CREATE TABLE agent_sessions(session_id TEXT PRIMARY KEY, created_at TIMESTAMP, updated_at TIMESTAMP);
    CREATE TABLE log(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, message_data TEXT NOT NULL, created_at TIMESTAMP,
    FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id) ON DELETE CASCADE);`
  const items = [{ role: 'user', content: 'go' }, call, { role: 'user', content: 'on' }]
  const output = { type: 'function_call_output', call_id: 'c1', output: 'refunded 89 EUR' }

  /** Whether the doctor changes a row of such a database. */
  async function isWritten(tables: string, rows: readonly object[]): Promise<boolean> {
    const path = join(mkdtempSync(join(folder, 'base-')), 'chat.db')
    const inside = <T>(work: (database: DatabaseSync) => T): T => {
      const database = new DatabaseSync(path)
      try {
        return work(database)
      } finally {
        database.close()
      }
    }
    const all = (): string =>
      inside(database => JSON.stringify(database.prepare('SELECT * FROM log ORDER BY id').all()))
    inside(database => {
      database.exec(tables)
      if (tables === tied) database.exec("INSERT INTO agent_sessions VALUES ('s', '1', '1')")
      const put = database.prepare("INSERT INTO log (session_id, message_data, created_at) VALUES ('s', ?, '1')")
      for (const row of rows) put.run(JSON.stringify(row))
    })
    const before = all()
    await visited(path)
    return all() !== before
  }

  test('[DS21] is not written if no table of sessions belongs to it, or its rows are not items', async () => {
    for (const rows of [chat, events, items]) expect(await isWritten(log, rows), JSON.stringify(rows)).toBe(false)
    const many = Array.from({ length: 9 }, (_, index) => ({ ...call, call_id: `c${index}` }))
    for (const rows of [chat, events, [...many, { type: 'click', x: 1 }], [output]])
      expect(await isWritten(tied, rows), JSON.stringify(rows)).toBe(false)
  })

  test('[DS21] is written if it is one', async () => {
    expect(await isWritten(tied, items)).toBe(true)
  })
})

describe('a session with the fields of another program', () => {
  const record = (index: number, type: string, message: object): object => ({
    uuid: `00000000-0000-4000-8000-00000000000${index}`,
    parentUuid: index === 0 ? null : `00000000-0000-4000-8000-00000000000${index - 1}`,
    ...{ sessionId: 's', isSidechain: false, cwd: '/x', version: '0.3.1', type, message },
    timestamp: `2026-08-01T00:00:0${index}.000Z`,
  })
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const forks: readonly (readonly [string, object][])[] = [
    [
      ['user', { role: 'user', content: 'hi' }],
      ['assistant', { role: 'assistant', content: null, tool_calls: [call] }],
      ['user', { role: 'user', content: 'on' }],
    ],
    [
      ['user', { role: 'user', content: [{ text: 'hi' }] }],
      ['assistant', { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'look', input: {} } }] }],
      ['user', { role: 'user', content: [{ text: 'on' }] }],
    ],
    [
      ['user', { role: 'user', content: 'hi' }],
      [
        'assistant',
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }] },
      ],
      ['user', { role: 'user', content: 'on' }],
    ],
  ]

  test('[DS22] those of Claude Code: is not read, and not called healthy', async () => {
    for (const fork of forks) {
      const lines = fork.map(([type, message], index) => record(index, type, message))
      const path = join(mkdtempSync(join(folder, 'fork-')), 'session.jsonl')
      writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
      const visits = await visited(path)
      expect(visits).toMatchObject([{ kind: 'unreadable', error: { message: expect.stringContaining('is not read') } }])
    }
  })

  test('[DS23] those of the Agent Framework: is not written', async () => {
    const like = (type: string, fields: object, answer: object): object[] => [
      { role: 'user', contents: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', contents: [{ type, name: 'look', ...fields }] },
      { role: 'tool', contents: [{ type: 'function_result', ...answer }] },
    ]
    const lines = [
      like('function_call', { id: 'c1', args: {} }, { id: 'c1', output: 'x' }),
      like('function_call', { call_id: 'c1', args: {} }, { id: 'c1', output: 'x' }),
      like('tool_use', { id: 'c1' }, { id: 'c1', output: 'x' }),
    ]
    for (const list of lines)
      expect(await writtenOf({ 'h.jsonl': list.map(line => `${JSON.stringify(line)}\n`).join('') })).toEqual([])
    const messages = [
      { kind: 'request', role: 'user', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      {
        kind: 'response',
        role: 'assistant',
        parts: [{ part_kind: 'tool-call', tool_name: 'look', tool_call_id: 'c1' }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'x' },
    ]
    expect(await writtenOf({ 'snapshot.json': JSON.stringify({ session_state: { a: 1 }, messages }) })).toEqual([])
  })
})

const filesOf = (list: readonly object[]): Record<string, string> => ({
  'list.json': JSON.stringify(list),
  'body.json': JSON.stringify({ model: 'm', messages: list }),
  'lines.jsonl': list.map(message => `${JSON.stringify(message)}\n`).join(''),
})

/** Lets the doctor repair files in one folder, each by itself and all of them. The names of those that it wrote. */
async function writtenOf(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const place = mkdtempSync(join(folder, 'files-'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(place, name), text)
  for (const path of [...Object.keys(texts).map(name => join(place, name)), place]) await visited(path)
  return Object.entries(texts).flatMap(([name, text]) =>
    readFileSync(join(place, name), 'utf8') === text ? [] : [name],
  )
}

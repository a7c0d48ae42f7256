import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'
import { fillGraphs } from '../graph-threads.ts'
import { antiphon, folder, lines } from './program.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const schema = 'graphs "of ours"'
let files = 0

/** A place with threads of graphs, and where to open it. */
async function newPlace(kind: 'sqlite' | 'postgres', isSchema = `${schema} ${++files}`) {
  const isFile = kind === 'sqlite'
  const file = isFile ? join(folder(), 'chat.db') : server.url()
  const where = isFile ? `sqlite:${file}` : file
  const options = isFile ? {} : { schema: isSchema }
  await fillGraphs(where, options)
  const addThreads = async (...names: string[]): Promise<void> => {
    await using journal = await openJournal(where, options)
    for (const name of names) await journal.thread(name).submit('Hello?')
  }
  return { file, where, options, flags: isFile ? [] : ['--schema', isSchema], addThreads }
}

const withoutTime = (line: string): string => line.replace(/\d{4}-\S+Z/, 'TIME').replace(/ +/g, ' ')

describe.each(['sqlite', 'postgres'] as const)('LangGraph checkpoints in %s', kind => {
  test('[C180] threads lists the threads of the checkpointer after those of the journal, with subgraphs and status', async () => {
    const { file, flags, addThreads } = await newPlace(kind)
    const alone = await antiphon(['threads', file, ...flags])
    const graphs = [
      'LangGraph checkpoints:',
      'status checkpoints last change name',
      'parked 3 TIME waits',
      'parked 2 TIME waits tools',
      'idle 5 TIME done',
      'idle 3 TIME done tools',
      'failed 3 TIME fails',
      'failed 2 TIME fails tools',
      'idle 3 TIME broken',
      '4 LangGraph threads',
    ]
    // A file is always a journal too.
    expect(lines(alone.stdout).map(withoutTime)).toEqual([...(kind === 'sqlite' ? ['0 threads'] : []), ...graphs])
    await addThreads('user-42')
    const both = await antiphon(['threads', file, ...flags])
    expect(lines(both.stdout).map(withoutTime).slice(1)).toEqual(['idle 1 0 TIME user-42', '1 thread', ...graphs])
    const json = await antiphon(['threads', file, ...flags, '--json', '--status', 'parked'])
    expect(lines(json.stdout).map(line => JSON.parse(line))).toMatchObject([
      { kind: 'langgraph', name: 'waits', namespace: '', status: 'parked', checkpoints: 3 },
      { kind: 'langgraph', name: 'waits', namespace: 'tools', status: 'parked', checkpoints: 2 },
    ])
    const newest = await antiphon(['threads', file, ...flags, '--newest', '--limit', '2'])
    expect(lines(newest.stdout).map(withoutTime).slice(-2)).toEqual(['idle 3 TIME broken', '1 LangGraph thread'])
    const after = await antiphon(['threads', file, ...flags, '--after', 'done', '--limit', '1'])
    expect(lines(after.stdout).map(withoutTime).slice(2)).toEqual([...graphs.slice(6, 8), '1 LangGraph thread'])
  })

  test('[C181] show draws the messages of the newest checkpoint, with their defects', async () => {
    const { file, flags, options, where } = await newPlace(kind)
    const bytes = kind === 'sqlite' ? readFileSync(file) : undefined
    const show = async (...args: string[]) => (await antiphon(['show', file, ...args, ...flags])).stdout
    expect(lines(await show('done')).map(line => line.replace(/ +/g, ' '))).toEqual([
      'user "Pay 5 EUR"',
      'assistant pay({"eur":5}) call_1',
      'tool "yes" call_1',
      'assistant "Paid."',
      'idle: LangGraph checkpoints, 4 messages, 5 checkpoints',
    ])
    expect(await show('waits')).toMatch(/^parked: LangGraph checkpoints.*it waits for the answer to an interrupt/m)
    expect(await show('waits')).not.toContain('defect')
    expect(await show('broken')).toMatch(/^defect .*call_9.*\(unanswered-call\)$/m)
    expect(await show('broken')).toMatch(/^idle: LangGraph checkpoints, 3 messages, 3 checkpoints, 1 defect$/m)
    const json = await show('broken', '--json')
    const checked = await antiphon(['check'], { input: json })
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('format langchain')])
    await using checkpointer = await openCheckpointer(where, options)
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: 'broken' } })
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(tuple?.checkpoint.channel_values.messages)))
    expect(lines(await show('done', '--namespace', 'tools')).at(-1)).toContain('3 checkpoints')
    if (bytes) expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test('[C182] a name that the journal has too is a question, which --graph and --no-graph answer', async () => {
    const { file, flags, addThreads } = await newPlace(kind)
    await addThreads('done')
    for (const command of ['show', 'erase']) {
      const { code, stdout, stderr } = await antiphon([command, file, 'done', ...flags])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toBe(
        'antiphon: "done" is a thread of the journal and a thread of LangGraph checkpoints (use --graph for the LangGraph checkpoints, --no-graph for the journal)\n',
      )
    }
    expect((await antiphon(['show', file, 'done', '--graph', ...flags])).stdout).toContain('Paid.')
    expect((await antiphon(['show', file, 'done', '--no-graph', ...flags])).stdout).toContain('Hello?')
    const refused: [string[], string][] = [
      [['waits', '--no-graph'], 'unknown thread "waits" in the journal (antiphon threads lists them)'],
      [['wait'], 'unknown thread "wait" (did you mean waits?)'],
      [
        ['waits', '--entries'],
        '--entries cannot be used for "waits", a thread of LangGraph checkpoints (omit --entries)',
      ],
      [
        ['waits', '--namespace', 'x'],
        'thread "waits" has no namespace "x" (antiphon threads lists them; --namespace names one)',
      ],
    ]
    for (const [args, line] of refused)
      expect(await antiphon(['show', file, ...args, ...flags])).toEqual({
        ...{ code: 2, stdout: '', stderr: `antiphon: ${line}\n` },
      })
  })

  test('[C183] erase deletes such a thread as deleteThread does, and expire leaves it as it is', async () => {
    const { file, flags, options, where, addThreads } = await newPlace(kind)
    await addThreads('user-42')
    const dry = await antiphon(['erase', '--dry-run', file, 'waits', 'user-42', ...flags])
    expect(lines(dry.stdout).map(withoutTime)).toEqual([
      'would erase user-42 (1 entry, last change TIME)',
      'would erase waits (LangGraph, 5 checkpoints, last change TIME)',
    ])
    const wrong = await antiphon(['erase', file, 'waits', 'nobody', ...flags])
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
    await using checkpointer = await openCheckpointer(where, options)
    const tuple = (thread_id: string, checkpoint_ns = '') =>
      checkpointer.getTuple({ configurable: { thread_id, checkpoint_ns } })
    expect(await tuple('waits')).toBeDefined()
    const { code, stdout } = await antiphon(['erase', file, 'waits', ...flags])
    expect([code, withoutTime(stdout)]).toEqual([0, 'erased waits (LangGraph, 5 checkpoints, last change TIME)\n'])
    expect([await tuple('waits'), await tuple('waits', 'tools')]).toEqual([undefined, undefined])
    expect((await antiphon(['threads', file, ...flags])).stdout).not.toContain('waits')
    const expired = await antiphon(['expire', '--idle-days', '0.0000000001', file, ...flags])
    expect(lines(expired.stdout).at(-1)).toBe('erased 1 thread')
    expect(await tuple('done')).toBeDefined()
  })
})

test('[C184] what is not a table of the checkpointer is not read, and a trigger keeps erase from writing', async () => {
  const { file } = await newPlace('sqlite')
  const change = (sql: string): void => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  change('CREATE TRIGGER mine AFTER DELETE ON antiphon_graph_part BEGIN SELECT 1; END')
  const erased = await antiphon(['erase', file, 'done'])
  expect([erased.code, erased.stdout]).toEqual([2, ''])
  expect(erased.stderr).toContain('would run its trigger mine')
  expect((await antiphon(['show', file, 'done'])).stdout).toContain('Paid.')
  change('ALTER TABLE antiphon_graph_part RENAME TO other; CREATE VIEW antiphon_graph_part AS SELECT * FROM other')
  const shown = await antiphon(['show', file, 'done'])
  expect([shown.code, shown.stdout]).toEqual([2, ''])
  expect(shown.stderr).toContain('antiphon_graph_part is a view and not a table')
})

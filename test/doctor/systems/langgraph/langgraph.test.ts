import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../laws/random.ts'
import { bytesOf, describeSystem, inFolder } from '../../contract.ts'
import { writeDatabase } from './generate.ts'
import { heal, inDatabase, withSample } from './helpers.ts'
import { messagesIn, newestIn, rowsIn } from './rows.ts'
import { runGraph } from './run-graph.ts'
import { Speaker } from './speaker.ts'
import { refusals, subject } from './subject.ts'

describeSystem(subject)

describe('samples', () => {
  test('[DG1] the broken sample becomes the repaired one', async () => {
    await withSample('broken', async path => {
      const [{ examination }] = await heal(path)
      expect(examination.state).toBe('broken')
      expect(examination.repairs.map(({ rule }) => rule)).toEqual([
        ...['unanswered-call', 'unanswered-call', 'system-not-first'],
      ])
      expect(examination.counts).toEqual({ calls: 2, results: 0, orphans: 0, unanswered: 2 })
      expect(examination.dropped.map(({ content }) => content)).toEqual([expect.stringContaining('You are Madz')])
      const [healed] = newestIn(path)
      await withSample('healed', async sample => {
        const [expected] = newestIn(sample)
        expect(withoutMadeIds(healed.messages)).toEqual(withoutMadeIds(expected.messages))
      })
      expect(await refusals(path)).toEqual([])
    })
  })

  test('[DG2] nothing but the messages of the newest checkpoint is written', async () => {
    await withSample('broken-discarded', async path => {
      const before = rowsIn(path)
      await heal(path)
      const after = rowsIn(path)
      expect(after.writes).toEqual(before.writes)
      expect(after.checkpoints.slice(0, -1)).toEqual(before.checkpoints.slice(0, -1))
      const [old, now] = [before, after].map(({ checkpoints }) => checkpoints.at(-1)?.checkpoint as string)
      const [head] = old.split('{"lc":1')
      expect(now.startsWith(head)).toBe(true)
      const tail = old.slice(old.indexOf('"__pregel_tasks"'))
      expect(now.endsWith(tail)).toBe(true)
      for (const message of messagesIn(old)) expect(now).toContain(JSON.stringify(message))
    })
  })

  test('[DG3] a result of a discarded step is used', async () => {
    await withSample('broken-discarded', async path => {
      const [{ examination }] = await heal(path)
      const [{ messages }] = newestIn(path)
      const results = messages.filter(({ kwargs }) => kwargs.tool_call_id !== undefined).map(({ kwargs }) => kwargs)
      expect(results).toMatchObject([
        { tool_call_id: 'call_a', content: 'fast result', status: 'success', id: expect.any(String) },
        { tool_call_id: 'call_b', content: expect.stringContaining('interrupted'), status: 'error' },
      ])
      expect(examination.repairs).toMatchObject([{ class: 'lossless' }, { class: 'synthetic' }])
      expect(await refusals(path)).toEqual([])
    })
  })

  test('[DG3] so is one in the writes of the checkpoint itself, which no longer needs them', async () => {
    await withSample('broken', async path => {
      const given = (id: string, content: string): string =>
        JSON.stringify({
          ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'ToolMessage'] },
          kwargs: { status: 'success', content, tool_call_id: id, name: 'process' },
        })
      inDatabase(path, database => {
        const put = database.prepare(
          "INSERT INTO writes SELECT thread_id, '', checkpoint_id, ?, 0, ?, 'json', ? FROM checkpoints",
        )
        put.run('task-1', 'messages', Buffer.from(`[${given('call_m1', '42 passing')}]`))
        put.run('task-2', 'messages', Buffer.from(given('call_other', 'of nobody')))
        put.run('task-3', '__error__', Buffer.from('{"message":"stopped"}'))
      })
      const [{ examination }] = await heal(path)
      const [{ messages }] = newestIn(path)
      expect(messages[3].kwargs).toMatchObject({ tool_call_id: 'call_m1', content: '42 passing', status: 'success' })
      expect(messages[4].kwargs).toMatchObject({ tool_call_id: 'call_m2', status: 'error' })
      expect(rowsIn(path).writes.map(({ task_id }) => task_id)).toEqual(['task-2'])
      expect(examination.dropped.map(({ at, rule }) => [at, rule])).toEqual([
        ['messages[3]', 'system-not-first'],
        ['writes of task task-3', 'unanswered-call'],
      ])
    })
  })

  test('[DG3] but never one of an older call with the same id', async () => {
    await inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      const speaker = new Speaker(new Random(1))
      const [first, ...results] = speaker.step()
      const again = first.replace(/"id":"m\d+-\w+"/, '"id":"another"')
      const said = [speaker.human(), first, ...results, speaker.answer(), speaker.human(), again, speaker.human()]
      const checkpoint = { channels: [], metadata: '{}', writes: [] }
      const write = { task: 'task', index: 0, channel: 'messages', value: `[${results}]` }
      const checkpoints = [
        { ...checkpoint, id: '1', messages: said.slice(0, 2), writes: [write] },
        { ...checkpoint, id: '2', messages: said },
      ]
      writeDatabase(path, { threads: [{ thread: 'thread', namespace: '', checkpoints }] })
      await heal(path)
      const [{ messages }] = newestIn(path)
      const made = messages.slice(messages.findIndex(({ kwargs }) => kwargs.id === 'another') + 1, -1)
      expect(made).toHaveLength(results.length)
      for (const { kwargs } of made)
        expect(kwargs).toMatchObject({ status: 'error', content: expect.stringContaining('interrupted') })
    })
  })

  test('[DG8] other channels with messages are conversations of their own', async () => {
    await withSample('broken', async path => {
      const other = '"documents":[{"lc":1,"id":["langchain_core","documents","Document"],"kwargs":{}}],"researcher":'
      inDatabase(path, database =>
        database
          .prepare(
            'UPDATE checkpoints SET checkpoint = CAST(replace(CAST(checkpoint AS TEXT), \'"messages": [\', ?) AS BLOB)',
          )
          .run(`"messages": [], ${other}[`),
      )
      const visits = await heal(path)
      expect(visits.map(({ id, examination }) => [id.replace(/^\S+ ?/, ''), examination.state])).toEqual([
        ['', 'healthy'],
        ['(researcher)', 'broken'],
      ])
      const { channel_values } = JSON.parse(rowsIn(path).checkpoints[0].checkpoint)
      expect(channel_values.messages).toEqual([])
      expect(channel_values.researcher).toHaveLength(6)
      expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['healthy', 'healthy'])
    })
  })

  test.each(['branch:to:tools', 'branch:agent:next:tools'])(
    '[DG5] a step that %s asks for is to be done',
    async name => {
      await withSample('broken', async path => {
        const checkpoint = JSON.parse(rowsIn(path).checkpoints[0].checkpoint)
        const messages = checkpoint.channel_values.messages.slice(0, 3)
        const halted = JSON.stringify({ ...checkpoint, channel_values: { messages, [name]: 'agent' } })
        inDatabase(path, database => database.prepare('UPDATE checkpoints SET checkpoint = ?').run(Buffer.from(halted)))
        expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['pending'])
      })
    },
  )

  test.each(['healthy', 'healthy-run', 'healed'])('[DG4] %s is left as it is', async name => {
    await withSample(name, async path => {
      const before = bytesOf(path)
      const visits = await heal(path)
      expect(visits.map(({ examination }) => examination.state)).toEqual(['healthy'])
      expect(bytesOf(path)).toEqual(before)
    })
  })

  test.each(['pending', 'pending-task'])(
    '[DG5] calls that the graph will answer when it is resumed stay open: %s',
    async name => {
      await withSample(name, async path => {
        const before = bytesOf(path)
        const visits = await heal(path)
        expect(visits.map(({ examination }) => examination.state)).toEqual(['pending'])
        expect(bytesOf(path)).toEqual(before)
      })
    },
  )
})

describe('a real graph', () => {
  test.each(['in one node', 'side by side'] as const)(
    '[DG6] continues a thread that a tool had broken: calls %s',
    async form => {
      await inFolder(async folder => {
        const path = join(folder, 'checkpoints.db')
        const asked = await runGraph(path, form)
        expect(asked.refusal).toContain('tool_calls')
        expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['broken'])
        const answer = await asked.again('what now?')
        expect(answer).toBe('done: what now?')
        expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['healthy'])
      })
    },
  )

  test('[DG5] an approval can still be given after the doctor was there', async () => {
    await inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      const asked = await runGraph(path, 'approval')
      expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['pending'])
      expect(await asked.resume('yes')).toBe('done: approved yes')
    })
  })
})

/** The ids of placeholder results are generated, so those of a sample differ. */
const withoutMadeIds = (messages: ReturnType<typeof messagesIn>): unknown[] =>
  messages.map(({ kwargs: { id, ...kwargs }, ...message }) => ({
    ...message,
    kwargs: kwargs.status === 'error' ? kwargs : { ...kwargs, id },
  }))

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { openaiAgentsSqlite } from '../../../../src/doctor/systems/openai-agents-sqlite/index.ts'
import { bytesOf, inFolder } from '../../contract.ts'
import { writeDatabase } from './generate.ts'
import { add, all, heal, inDatabase, refusals, time, withItems } from './helpers.ts'
import { pythonJson } from './python-json.ts'
import { itemsIn, tablesIn } from './rows.ts'

const user = (content: string): object => ({ content, role: 'user' })
const call = (call_id: string, more: object = {}): object => ({
  arguments: '{}',
  call_id,
  name: 'go',
  type: 'function_call',
  ...more,
})
const result = (call_id: string, output: string): object => ({ call_id, output, type: 'function_call_output' })

const said = (text: string): object => ({
  id: `msg_${text.replaceAll(' ', '_')}`,
  content: [{ annotations: [], text, type: 'output_text' }],
  role: 'assistant',
  status: 'completed',
  type: 'message',
})

describe('repairing', () => {
  test('[DQ3] other sessions keep their rows, and rows keep their time and their id where they can', async () => {
    await withItems([user('one'), call('a'), call('b'), user('two')], async path => {
      inDatabase(path, database => {
        database.exec("INSERT INTO agent_sessions (session_id) VALUES ('other')")
        database.exec("INSERT INTO agent_messages VALUES (100, 'other', '{}', '2026-07-02 00:00:00')")
        database.exec('UPDATE agent_messages SET id = 90 WHERE id = 4')
      })
      await heal(path)
      const rows = tablesIn(path).agent_messages.map(({ id, created_at }) => [id, created_at])
      expect(rows).toEqual([
        ...[
          [1, time(1)],
          [2, time(2)],
          [3, time(3)],
          [88, time(3)],
          [89, time(3)],
          [90, time(4)],
        ],
        [100, '2026-07-02 00:00:00'],
      ])
    })
  })

  test('[DQ4] a result after the placeholder replaces it', async () => {
    await withItems([user('one'), call('a')], async path => {
      await heal(path)
      add(path, [result('a', 'the real one')])
      const [{ examination }] = await heal(path)
      expect(examination.state).toBe('broken')
      expect(itemsIn(path, 'main').slice(1)).toEqual([pythonJson(call('a')), pythonJson(result('a', 'the real one'))])
    })
  })

  test('[DQ4] items are written as the SDK writes them, in the way of their session', async () => {
    const compact = JSON.stringify(call('c'))
    await withItems([user('one'), call('b')], async path => {
      add(path, [], [compact])
      await heal(path)
      const [, , , spaced, dense] = itemsIn(path, 'main')
      expect(spaced).toMatch(/^\{"call_id": "b", "output": "\[no result\] .*", "type": "function_call_output"\}$/)
      expect(dense).toMatch(/^\{"call_id":"c","output":"\[no result\] .*","type":"function_call_output"\}$/)
    })
  })

  test.each([
    ['custom_tool_call', { input: 'x', name: 'edit' }, 'custom_tool_call_output'],
    ['shell_call', { action: { commands: ['ls'] }, status: 'completed' }, 'shell_call_output'],
    [
      'apply_patch_call',
      { operation: { type: 'delete_file', path: 'a' }, status: 'completed' },
      'apply_patch_call_output',
    ],
    [
      'local_shell_call',
      { id: 'lsh_1', action: { type: 'exec', command: ['ls'], env: {} }, status: 'completed' },
      'local_shell_call_output',
    ],
  ])('[DQ5] a %s is answered by an item of the matching type', async (type, fields, output) => {
    await withItems([user('one'), { type, call_id: 'a', ...fields }, user('two')], async path => {
      await heal(path)
      expect(itemsIn(path, 'main').map(text => JSON.parse(text).type)).toEqual([undefined, type, output, undefined])
      expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['healthy'])
    })
  })

  test('[DQ5] an approval of a hosted tool stays open', async () => {
    const asked = { type: 'mcp_approval_request', id: 'mcpr_1', arguments: '{}', name: 'pay', server_label: 'bank' }
    await withItems([user('one'), asked], async path => {
      const before = bytesOf(path)
      const [{ examination }] = await heal(path)
      expect(examination).toMatchObject({ state: 'pending', notes: ['it waits for the approval of a hosted tool'] })
      expect(bytesOf(path)).toEqual(before)
    })
  })

  test.each([
    ['is missing', [call('a'), said('went on')], ['function_call', 'function_call_output', 'message']],
    [
      'came early',
      [result('a', 'done'), call('a'), said('went on')],
      ['function_call', 'function_call_output', 'message'],
    ],
    [
      'came late',
      [call('a'), call('b'), result('a', 'done'), said('went on'), result('b', 'late'), said('and on')],
      ['function_call', 'function_call', 'function_call_output', 'function_call_output', 'message', 'message'],
    ],
  ])('[DQ8] a result that %s is moved before the next text of the assistant', async (_, items, types) => {
    await withItems([user('one'), ...items], async path => {
      await heal(path)
      expect(itemsIn(path, 'main').map(text => JSON.parse(text).type)).toEqual([undefined, ...types])
      expect(refusals(path)).toEqual([])
    })
  })

  test('[DQ8] a result after text of its own step stays there', async () => {
    const items = [user('one'), call('a'), said('a moment'), result('a', 'done'), user('two')]
    await withItems([...items, call('b'), user('three')], async path => {
      await heal(path)
      expect(itemsIn(path, 'main').slice(0, 5)).toEqual(items.map(pythonJson))
    })
  })

  test('[DQ3] rows whose ids do not increase with their times are repaired in the order of their times', async () => {
    await withItems([user('one'), call('a'), call('b'), user('two'), result('b', 'late')], async path => {
      inDatabase(path, database => {
        database.exec('CREATE INDEX idx_agent_messages_session_time ON agent_messages (session_id, created_at)')
        database.exec('UPDATE agent_messages SET id = 60 - 10 * id')
      })
      await heal(path)
      const inOrder = tablesIn(path).agent_messages.toSorted(
        (one, other) =>
          String(one.created_at).localeCompare(String(other.created_at)) || Number(one.id) - Number(other.id),
      )
      const types = inOrder.map(({ message_data }) => JSON.parse(String(message_data)))
      expect(types.map(({ type, call_id, content }) => content ?? `${type} ${call_id}`)).toEqual([
        ...['one', 'function_call a', 'function_call b'],
        ...['function_call_output a', 'function_call_output b', 'two'],
      ])
      expect((await heal(path)).map(({ examination }) => examination.state)).toEqual(['healthy'])
    })
  })

  test('[DQ9] every removed row is in the report', async () => {
    const twice = call('a', { id: 'fc_1' })
    await withItems([user('one'), twice, twice, result('a', 'done'), said('so'), said('so')], async path => {
      const [{ examination }] = await heal(path)
      expect(itemsIn(path, 'main')).toHaveLength(4)
      expect(examination.dropped).toEqual([
        { at: 'message 3', rule: 'repeated-item', content: pythonJson(twice) },
        { at: 'message 6', rule: 'repeated-item', content: pythonJson(said('so')) },
      ])
    })
  })

  test('[DQ6] each branch of an advanced session is repaired, and they still share their messages', async () => {
    await inFolder(async folder => {
      const path = join(folder, 'conversations.db')
      const data = [user('one'), call('a'), user('two')].map(pythonJson)
      writeDatabase(path, {
        advanced: true,
        rows: data.map(text => ({ session: 'main', data: text, createdAt: time(1) })),
      })
      const visits = await heal(path)
      expect(visits.map(({ id, examination }) => [id, examination.state])).toEqual([
        ['main', 'broken'],
        ['main (other)', 'broken'],
      ])
      expect(refusals(path)).toEqual([])
      const { agent_messages, message_structure } = tablesIn(path)
      expect(agent_messages).toHaveLength(5)
      const shown = message_structure.map(row => [
        row.branch_id,
        row.message_id,
        row.sequence_number,
        row.message_type,
        row.user_turn_number,
      ])
      expect(shown).toEqual([
        ['main', 1, 1, 'user', 1],
        ['main', 2, 2, 'function_call', 1],
        ['main', 3, 4, 'user', 2],
        ['other', 1, 4, 'user', 1],
        ['other', 2, 5, 'function_call', 1],
        ['main', 4, 3, 'function_call_output', 1],
        ['other', 5, 6, 'function_call_output', 1],
      ])
    })
  })
})

describe('bad input', () => {
  test('[DQ7] rows that are not JSON stay, and a note says so', async () => {
    await withItems([user('one'), call('a')], async path => {
      add(path, [], ['{"role": "us', ''])
      add(path, [user('two')])
      const [{ examination }] = await heal(path)
      expect(examination.notes).toEqual([expect.stringContaining('2 rows')])
      expect(itemsIn(path, 'main').filter(text => text === '' || text === '{"role": "us')).toHaveLength(2)
      expect(refusals(path).filter(line => line.includes('function call'))).toEqual([])
    })
  })

  test('[DQ7] what Python writes for numbers that are none is read as it does', async () => {
    await withItems([user('one')], async path => {
      const odd = pythonJson(call('a')).replace(/}$/, ', "cost": NaN, "least": -Infinity, "said": "NaN"}')
      add(path, [], [odd, pythonJson(result('a', 'done'))])
      const before = bytesOf(path)
      const [{ examination }] = await heal(path)
      expect({ state: examination.state, notes: examination.notes }).toEqual({ state: 'healthy', notes: [] })
      expect(bytesOf(path)).toEqual(before)
    })
  })

  test('[DQ7] encrypted items are one clear line', async () => {
    await withItems([{ __enc__: 1, v: 1, kid: 'hkdf-v1', payload: 'gAAAA' }], async path => {
      const [one] = await all(examineStores([path], { systems: [openaiAgentsSqlite], fix: true }))
      expect((one as { error: Error }).error.message).toMatch(/^[^\n]*session main: its items are encrypted[^\n]*$/)
    })
  })

  test('[DQ7] tables of other names are found by their columns', async () => {
    await withItems([user('one'), call('a'), user('two')], async path => {
      inDatabase(path, database => database.exec('ALTER TABLE agent_messages RENAME TO chat_items'))
      const visits = await all(examineStores([path], { systems: [openaiAgentsSqlite] }))
      expect(visits).toMatchObject([{ kind: 'conversation', examination: { state: 'broken' } }])
    })
  })
})

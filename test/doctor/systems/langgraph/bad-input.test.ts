import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { langgraph } from '../../../../src/doctor/systems/langgraph/index.ts'
import { inFolder } from '../../contract.ts'
import { all, inDatabase, look, withSample } from './helpers.ts'

describe('bad input', () => {
  test('[DG7] a checkpoint that is not what its type says is reported in one line', async () => {
    await withSample('healthy', async path => {
      inDatabase(path, database => database.exec("UPDATE checkpoints SET type = 'msgpack'"))
      const [trouble] = await all(examineStores([path], { systems: [langgraph] }))
      expect(trouble).toMatchObject({ kind: 'unreadable' })
      expect((trouble as { error: Error }).error.message).toMatch(/msgpack.*Python/)
    })
  })

  test('[DG7] a checkpoint that is not JSON is one line, and the other threads are examined', async () => {
    await withSample('broken', async path => {
      inDatabase(path, database => {
        const insert =
          "INSERT INTO checkpoints SELECT ?, '', checkpoint_id, NULL, type, ?, metadata FROM checkpoints LIMIT 1"
        database.prepare(insert).run('a-cut', Buffer.from('{"v":4,"channel_values":{"mess'))
        database.prepare(insert).run('a-latin', Buffer.from([0x7b, 0xff, 0xfe]))
        database.prepare(insert).run('a-list', Buffer.from('[]'))
      })
      const visits = await all(examineStores([path], { systems: [langgraph] }))
      expect(visits.map(one => (one.kind === 'conversation' ? one.examination.state : one.kind))).toEqual([
        ...['broken', 'unreadable', 'unreadable', 'unreadable'],
      ])
      for (const one of visits) if (one.kind === 'unreadable') expect(one.error.message).toContain('thread a-')
    })
  })

  test('[DG7] a graph without messages is healthy, and one that keeps differences is not judged', async () => {
    await withSample('healthy', async path => {
      inDatabase(path, database => {
        const put = (text: string) => database.prepare('UPDATE checkpoints SET checkpoint = ?').run(Buffer.from(text))
        put('{"v":4,"channel_values":{"count":1},"channel_versions":{"count":2}}')
      })
      expect((await look(path)).map(({ examination }) => examination.state)).toEqual(['healthy'])
      inDatabase(path, database => {
        const text = '{"v":4,"channel_values":{},"channel_versions":{"messages":2}}'
        database.prepare('UPDATE checkpoints SET checkpoint = ?').run(Buffer.from(text))
      })
      const [one] = await all(examineStores([path], { systems: [langgraph] }))
      expect((one as { error: Error }).error.message).toContain('DeltaChannel')
    })
  })

  test('[DG7] a damaged database is one line', async () => {
    await withSample('healthy-run', async path => {
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0x5a, 4096))
      const visits = await all(examineStores([path], { systems: [langgraph], fix: true }))
      expect(visits.map(({ kind }) => kind)).toEqual(['unreadable'])
      expect((visits[0] as { error: Error }).error.message).toMatch(/^[^\n]*(damaged|malformed)[^\n]*$/)
      expect(readFileSync(path)).toEqual(bytes)
    })
  })

  test('[DG7] a database without the tables is not recognised', async () => {
    await inFolder(async folder => {
      const path = join(folder, 'other.db')
      inDatabase(path, database => database.exec('CREATE TABLE checkpoints (id INTEGER)'))
      const [one] = await all(examineStores([path], { systems: [langgraph] }))
      expect(one).toMatchObject({ kind: 'unreadable', error: { message: expect.stringContaining('not a store') } })
    })
  })
})

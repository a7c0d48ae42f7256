import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { peekAt } from '../../../../src/doctor/peek.ts'
import type { Examination } from '../../../../src/doctor/system.ts'
import { opencode } from '../../../../src/doctor/systems/opencode/index.ts'
import { bytesOf, describeSystem, healSample, inFolder } from '../../contract.ts'
import type { Json } from './request.ts'
import { inDatabase, inFiles, refusalsOf } from './subject.ts'
import { readFiles, rowsOf } from './write-store.ts'

describeSystem(inFiles)
describeSystem(inDatabase)

const samples = join(import.meta.dirname, 'samples')
const rules = ['text-after-call', 'unanswered-call', 'duplicate-call-id', 'unanswered-call']

describe('samples of opencode', () => {
  test('[DO7] a broken session in files is reported, and repaired like the repaired sample', async () => {
    const broken = join(samples, 'broken', 'storage')
    expect(await refusalsOf(() => readFiles(broken))).not.toEqual([])
    await healSample(opencode, broken, async (path, [visit]) => {
      expect(visit.examination.repairs.map(({ rule }) => rule)).toEqual(rules)
      expect(bytesOf(path)).toEqual(bytesOf(join(samples, 'healed', 'storage')))
      expect(await refusalsOf(() => readFiles(path))).toEqual([])
    })
  })

  test('[DO7] so is one in a database', async () => {
    await inFolder(async folder => {
      const [broken, healed] = ['broken', 'healed'].map(name => database(name, folder))
      const examination = await examine(broken)
      expect(examination.repairs.map(({ rule }) => rule)).toEqual(rules)
      await examination.storeRepair?.apply()
      expect(rowsOf(broken)).toEqual(rowsOf(healed))
    })
  })

  test('[DO7] healthy ones stay as they are', async () => {
    await healSample(opencode, join(samples, 'healthy', 'storage'), (path, [visit]) => {
      expect(visit.title).toBe('Cart bug')
      expect(visit.examination).toMatchObject({ state: 'healthy', counts: { calls: 4, results: 4, unanswered: 0 } })
      expect(bytesOf(path)).toEqual(bytesOf(join(samples, 'healthy', 'storage')))
    })
    await inFolder(async folder => {
      const path = database('healthy', folder)
      expect(opencode.recognises(peekAt(path))).toBe(true)
      expect(await examine(path)).toMatchObject({ state: 'healthy' })
    })
  })
})

describe('parts of opencode', () => {
  test('[DO8] a call in the middle of its work is marked as aborted, with all that it had', async () => {
    const { parts } = await healed([call('a', { status: 'pending', input: {}, raw: '{"path":"/e' })])
    expect(parts[0].state).toEqual({
      status: 'error',
      input: {},
      raw: '{"path":"/e',
      error: 'Tool execution aborted',
      metadata: { interrupted: true },
      time: { start: 1000, end: 1000 },
    })
  })

  test('[DO17] an input that is not an object is kept whole, with the result of its call', async () => {
    const running = { status: 'running', time: { start: 1 } }
    for (const [input, kept] of [
      ['rm -r build', { _cut_off: 'rm -r build' }],
      ['{"path":"/e', { _cut_off: '{"path":"/e' }],
      ['{"path":"/etc","n":1.50}', { path: '/etc', n: 1.5 }],
      [['a', 1], { _cut_off: ['a', 1] }],
      [0, { _cut_off: 0 }],
      [false, { _cut_off: false }],
      [null, {}],
      ['', {}],
    ]) {
      const open = await healed([call('a', { ...running, input })])
      expect(open.parts[0].state).toMatchObject({ status: 'error', input: kept })
      const ended = await healed([call('a', { ...done, input })])
      expect(ended).toMatchObject({ rules: ['malformed-arguments'] })
      expect(ended.parts[0].state).toEqual({ ...done, input: kept })
    }
  })

  test('[DO17] a result that is not text is written as text, and not as an abort', async () => {
    const { parts, rules } = await healed([call('a', { ...done, output: { lines: ['ok'] } })])
    expect(rules).toEqual(['malformed-result'])
    expect(parts[0].state).toEqual({ ...done, output: '{"lines":["ok"]}' })
    const failed = { status: 'error', input: {}, error: { code: 3 }, time: { start: 1, end: 2 } }
    expect((await healed([call('a', failed)])).parts[0].state).toEqual({ ...failed, error: '{"code":3}' })
  })

  test('[DO16] a message that ended in an error is never sent, so its calls are left as they are', async () => {
    const running = call('a', { status: 'running', input: {}, time: { start: 1 } })
    await inFolder(async folder => {
      const path = storage(folder, [running])
      const file = join(path, 'message', 'ses_1', 'msg_1.json')
      const message = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...message, error: { name: 'UnknownError', data: {} } }))
      expect(await examine(path)).toMatchObject({ state: 'healthy', repairs: [] })
      writeFileSync(file, JSON.stringify({ ...message, error: { name: 'MessageAbortedError', data: {} } }))
      const { state, repairs } = await examine(path)
      expect(state).toBe('broken')
      expect(repairs[0].refusal).toContain('tool_call_ids did not have response messages: a')
    })
  })

  test('[DO9] where a step begins without a mark one is put in, between the ids of its neighbours', async () => {
    const before = [call('a', done), { type: 'text', text: 'Now the tests.' }, call('b', done)]
    const { parts, rules } = await healed(before)
    expect(rules).toEqual(['text-after-call'])
    expect(parts.map(({ type }) => type)).toEqual(['tool', 'step-start', 'text', 'tool'])
    expect(await healed([call('a', done), call('b', done)])).toMatchObject({ rules: [] })
  })

  test('[DO10] a call id that occurs twice in a message becomes two ids, or the same call one', async () => {
    const other = { ...done, output: 'other' }
    const { parts } = await healed([call('a', done), call('a', other), call('a', done)])
    expect(parts.map(({ callID }) => callID)).toEqual(['a', expect.stringMatching(/^call_\w{24}$/)])
    expect((await healed([call('a', done), call('a', done)])).parts).toHaveLength(1)
  })

  test('[DO11] a part that is not JSON is removed, a message that is not JSON is only reported', async () => {
    await inFolder(async folder => {
      const path = storage(folder, [call('a', done)])
      writeFileSync(join(path, 'part', 'msg_1', 'prt_2.json'), '{"type":"te')
      writeFileSync(join(path, 'message', 'ses_1', 'msg_2.json'), '')
      const { state, dropped, remaining, storeRepair } = await examine(path)
      expect({ state, dropped }).toEqual({
        state: 'broken',
        dropped: [{ at: 'prt_2', rule: 'torn-record', content: '{"type":"te' }],
      })
      expect(remaining.map(({ rule, at }) => [rule, at])).toEqual([['unreadable-message', 'msg_2']])
      await storeRepair?.apply()
      expect(Object.keys(bytesOf(path)).filter(name => name.includes('prt_2'))).toEqual([])
      expect(readFileSync(join(path, 'message', 'ses_1', 'msg_2.json'), 'utf8')).toBe('')
    })
  })

  test('[DO12] every byte outside what changes stays: spaces, escapes, numbers, unknown keys', async () => {
    await inFolder(async folder => {
      const path = storage(folder, [])
      const file = join(path, 'part', 'msg_1', 'prt_1.json')
      const before = `{ "type":"tool",\t"n": 1.0, "callID":"caf\\u00e9", "tool":"bash", "state": STATE , "later": 1e5}\n`
      writeFileSync(file, before.replace('STATE', '{"status":"running","input":{"n":2.50},"time":{"start":5}}'))
      await (await examine(path)).storeRepair?.apply()
      const [front, back] = before.split('STATE')
      const after = readFileSync(file, 'utf8')
      expect(after.slice(0, front.length)).toBe(front)
      expect(after.slice(-back.length)).toBe(back)
      expect(after).toContain('2.50')
    })
  })

  test('[DO14] if one file cannot be changed, none is', async () => {
    await inFolder(async folder => {
      const path = storage(folder, [call('a', { status: 'running', input: {} }), { type: 'text', text: 'So.' }])
      const { storeRepair } = await examine(path)
      const late = join(path, 'part', 'msg_1', 'prt_10.json')
      writeFileSync(late, '{"type":"text","text":"written meanwhile"}')
      const before = bytesOf(path)
      await expect(storeRepair?.apply()).rejects.toThrow(/prt_10\.json: it changed during the repair/)
      expect(bytesOf(path, true)).toEqual(before)
    })
  })

  test('[DO14] a link out of the store is not followed, and is a one-line error', async () => {
    await inFolder(async folder => {
      const path = storage(folder, [call('a', { status: 'running', input: {} })])
      const outside = join(folder, 'outside.json')
      writeFileSync(outside, '{"type":"text","text":"not yours"}')
      symlinkSync(outside, join(path, 'part', 'msg_1', 'prt_2.json'))
      await expect(examine(path)).rejects.toThrow(/prt_2\.json: it is a symbolic link/)
    })
  })

  test('[DO15] it is searched where its environment says', () => {
    const user = { home: '/home/ada', folder: '/work', environment: {}, platform: 'linux' }
    expect(opencode.places(user)).toContain('/home/ada/.local/share/opencode/storage')
    expect(opencode.places(user)).toContain('/home/ada/.local/share/opencode/opencode.db')
    const environment = { XDG_DATA_HOME: '/data', OPENCODE_DB: 'mine.db' }
    expect(opencode.places({ ...user, environment })).toContain('/data/opencode/mine.db')
  })
})

const done = { status: 'completed', input: {}, output: 'ok', title: '', metadata: {}, time: { start: 1, end: 2 } }
const call = (callID: string, state: Json): Json => ({ type: 'tool', callID, tool: 'bash', state })

/** A store with one session: a user who asks, and an answer with these parts. */
function storage(folder: string, parts: readonly Json[]): string {
  const path = join(folder, 'storage')
  const put = (where: string[], value: Json): void => {
    mkdirSync(join(path, ...where.slice(0, -1)), { recursive: true })
    writeFileSync(`${join(path, ...where)}.json`, JSON.stringify(value))
  }
  put(['session', 'global', 'ses_1'], { id: 'ses_1', title: 'one' })
  put(['message', 'ses_1', 'msg_0'], { id: 'msg_0', role: 'user', time: { created: 900 } })
  put(['part', 'msg_0', 'prt_0'], { id: 'prt_0', type: 'text', text: 'Look.' })
  put(['message', 'ses_1', 'msg_1'], { id: 'msg_1', role: 'assistant', time: { created: 1000 } })
  mkdirSync(join(path, 'part', 'msg_1'))
  parts.forEach((part, index) => {
    put(['part', 'msg_1', `prt_${index + 1}`], { id: `prt_${index + 1}`, ...part })
  })
  return path
}

const healed = (parts: readonly Json[]): Promise<{ parts: Json[]; rules: string[] }> =>
  inFolder(async folder => {
    const path = storage(folder, parts)
    const { repairs, storeRepair } = await examine(path)
    await storeRepair?.apply()
    return { parts: readFiles(path)[0][1].parts, rules: repairs.map(({ rule }) => rule) }
  })

async function examine(path: string, now = 0): Promise<Examination> {
  const store = await opencode.open(path, { now })
  for await (const conversation of store.conversations()) {
    const examination = await conversation.examine()
    const { storeRepair } = examination
    if (!storeRepair) await store.close()
    return examination
  }
  throw new Error('there is no conversation')
}

function database(name: string, folder: string): string {
  const path = join(folder, `${name}.db`)
  const made = new DatabaseSync(path)
  made.exec(readFileSync(join(samples, `${name}.sql`), 'utf8'))
  made.close()
  return path
}

import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agent, type LiveTransport, openJournal, run } from '../../../src/journal/index.ts'
import { postgresTransport } from '../../../src/journal/live/transports/postgres.ts'
import { redisTransport } from '../../../src/journal/live/transports/redis.ts'
import { socketTransport } from '../../../src/journal/live/transports/socket.ts'
import { scripted } from '../../journal/contract/model.ts'
import { redisUrl, startRedis } from '../../journal/live/redis-server.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'
import { programFile } from '../../programs.ts'
import { antiphon, folder, lines } from './program.ts'

/** A thread with a call that is done and one that waits, one with input that waits, and one that nobody has used. */
async function fill(where: string, schema?: string): Promise<void> {
  await using journal = await openJournal(where, schema === undefined ? {} : { schema })
  const thread = journal.thread('user-42', { for: 'anthropic' })
  const calls = [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'the sea' } }]
  await thread.submit('What do you see?')
  await run(thread, {
    model: ({ messages }) => ({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
      stop_reason: 'tool_use',
      content: messages.length === 1 ? calls : [{ type: 'tool_use', id: 'toolu_2', name: 'buy', input: { it: 1 } }],
    }),
    tools: { look: { execute: () => 'a ship' }, buy: { execute: () => 'done', approval: true } },
  })
  await journal.thread('waiting').submit('Hello?')
}

/** A journal, and how a process hears of its changes. */
interface Way {
  readonly place: string
  readonly flags: readonly string[]
  readonly options: { readonly schema?: string }
  open(): Promise<LiveTransport>
}

let server: Server
let file: string
const schema = 'agents "of ours"'
let places: readonly (readonly [name: string, where: string[]])[] = []

beforeAll(async () => {
  server = await startServer()
  file = join(folder(), 'chat.db')
  await fill(`sqlite:${file}`)
  await fill(server.url(), schema)
  places = [
    ['a file', [file]],
    ['an address', [server.url(), '--schema', schema]],
  ]
})
afterAll(() => server.stop())

const everywhere = async (check: (where: string[], name: string) => Promise<void>): Promise<void> => {
  for (const [name, where] of places) await check(where, name)
}

describe('journals', () => {
  test('[C34] threads lists what there is, also for programs', () =>
    everywhere(async where => {
      const { code, stdout } = await antiphon(['threads', ...where])
      expect(code).toBe(0)
      expect(lines(stdout).map(line => line.replace(/\s+\S+Z\s+/, ' '))).toEqual([
        expect.stringMatching(/^status +entries +open/),
        expect.stringMatching(/^parked +\d+ +1 user-42$/),
        expect.stringMatching(/^idle +1 +0 waiting$/),
        '2 threads',
      ])
      const { stdout: json } = await antiphon(['threads', '--json', ...where])
      expect(lines(json).map(line => JSON.parse(line))).toMatchObject([{ name: 'user-42' }, { name: 'waiting' }])
    }))

  test('[C35] show draws one as its reader gets it, with what is open and what waits', () =>
    everywhere(async where => {
      const [place, ...flags] = where
      const { code, stdout } = await antiphon(['show', place, 'user-42', ...flags])
      expect(code).toBe(0)
      for (const word of ['What do you see?', 'a ship', 'open       buy']) expect(stdout).toContain(word)
      const { stdout: json } = await antiphon(['show', place, 'user-42', '--for', 'openai', '--json', ...flags])
      expect(JSON.parse(json)).toMatchObject([
        { role: 'user', content: 'What do you see?' },
        { role: 'assistant', tool_calls: [{ function: { name: 'look' } }] },
        { role: 'tool', content: 'a ship' },
        { role: 'assistant', tool_calls: [{ function: { name: 'buy' } }] },
        { role: 'tool', content: expect.stringContaining('[no result]') },
      ])
      const { stdout: entries } = await antiphon(['show', place, 'user-42', '--entries', '--json', ...flags])
      expect(lines(entries).map(line => JSON.parse(line).seq)).toEqual(lines(entries).map((_, index) => index + 1))
      expect((await antiphon(['show', place, 'waiting', ...flags])).stdout).toContain('waiting    input 1: Hello?')
    }))

  test('[C44] show draws any branch, lists all of them, and names those that there are', async () => {
    const file = join(folder(), 'branches.db')
    {
      await using journal = await openJournal(`sqlite:${file}`)
      const thread = journal.thread('t')
      const model = () => ({ choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'Well.' } }] })
      await thread.submit('One?')
      await run(thread, { model })
      await thread.fork({ at: 0 })
      await thread.switch(2)
      await thread.submit('Two?')
      await run(thread, { model })
    }
    const { stdout } = await antiphon(['show', file, 't'])
    expect(stdout).toContain('Two?')
    expect(stdout).not.toContain('One?')
    expect(lines(stdout).filter(line => line.startsWith('branch'))).toEqual([
      'branch     1: the main branch',
      'branch     2: left branch 1 after entry 0 (current, shown)',
    ])
    const main = await antiphon(['show', file, 't', '--branch', '1', '--json'])
    expect(JSON.parse(main.stdout)).toMatchObject([{ content: 'One?' }, { content: 'Well.' }])
    const entries = await antiphon(['show', file, 't', '--branch', '1', '--entries', '--json'])
    const kinds = lines(entries.stdout).map(line => JSON.parse(line).kind)
    expect(kinds.filter(kind => kind === 'response-record')).toHaveLength(1)
    for (const branch of ['3', '0', 'main', '1e0']) {
      const { code, stdout, stderr } = await antiphon(['show', file, 't', '--branch', branch])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`unknown branch ${branch} of this thread`)
    }
    const exported = async (...flags: string[]) => {
      const { stdout } = await antiphon(['export', file, 't', ...flags])
      return lines(stdout).map(line => JSON.parse(line))
    }
    const written = JSON.stringify(await exported())
    for (const [branch, own, other] of [
      ['1', 'One?', 'Two?'],
      ['2', 'Two?', 'One?'],
    ]) {
      expect(written).toContain(own)
      const [whole] = await exported('--branch', branch, '--for', 'openai')
      expect(whole.messages).toMatchObject([{ content: own }, { content: 'Well.' }])
      const kinds = (await exported('--branch', branch)).map(({ kind }) => kind)
      expect(kinds.filter(kind => kind === 'response-record')).toHaveLength(1)
      expect(JSON.stringify(whole)).not.toContain(other)
    }
    for (const names of [[], ['t', 't']]) {
      const { code, stderr } = await antiphon(['export', file, ...names, '--branch', '1'])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--branch needs the name of one') })
    }
    expect((await antiphon(['export', file, 't', '--branch', '3'])).stderr).toContain('unknown branch 3')
  })

  test('[C171] a sealed journal is read, and its calls are decided, with its key in a file', async () => {
    const [place, keyFile] = ['sealed.db', 'key'].map(name => join(folder(), name))
    const key = randomBytes(32)
    let call = ''
    {
      await using journal = await openJournal(`sqlite:${place}`, { seal: key })
      const thread = journal.thread('t')
      await thread.submit('A ticket, please.')
      await run(thread, {
        model: scripted([['pay', { eur: 5 }]]),
        tools: { pay: { approval: true, execute: () => 1 } },
      })
      call = (await thread.openCalls())[0].id
      await thread.describe({ title: 'Trip' })
    }
    for (const text of [key, `${key.toString('hex')}\n`, key.toString('base64'), key.toString('base64url')]) {
      writeFileSync(keyFile, text)
      const sealed = ['--seal-key', keyFile]
      expect((await antiphon(['show', place, 't', ...sealed])).stdout).toContain('A ticket, please.')
      expect((await antiphon(['export', place, ...sealed])).stdout).toContain('A ticket, please.')
      expect((await antiphon(['threads', place, ...sealed])).stdout).toContain('"Trip"')
    }
    const words = [process.execPath, programFile('antiphon'), 'approve', place, 't', call, '--seal-key']
    execFileSync('bash', ['-c', '"$@" <(cat "$0")', keyFile, ...words])
    expect((await antiphon(['show', place, 't', '--seal-key', keyFile])).stdout).toContain('approved, not yet run')
    const other = join(folder(), 'other')
    for (const [text, problem] of [
      [randomBytes(32), 'the key of the thread cannot be unwrapped'],
      ['secret', 'is not a key of 32 bytes'],
    ] as const) {
      writeFileSync(other, text)
      const { code, stdout, stderr } = await antiphon(['show', place, 't', '--seal-key', other])
      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(problem) })
    }
    expect((await antiphon(['show', place, 't', '--seal-key', join(folder(), 'none')])).stderr).toContain(
      'no such file',
    )
  })

  test('[C53] threads shows a failed turn as failed, and lists the threads with one status', async () => {
    const place = join(folder(), 'failed.db')
    const journal = await openJournal(`sqlite:${place}`)
    const fail = () => {
      throw new Error('the model is down')
    }
    const answer = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] }
    for (const [name, model] of Object.entries({ well: () => answer, down: fail, again: fail, long: fail })) {
      const thread = journal.thread(name)
      await thread.submit('Hello.')
      await run(thread, { model }).catch(() => {})
    }
    // A later turn that ends well, another input that waits, and many entries after the end.
    await journal.thread('down').submit('Again.')
    await run(journal.thread('down'), { model: () => answer })
    for (let count = 0; count < 60; count++) await journal.thread('long').fork()
    await journal.close()
    const { stdout } = await antiphon(['threads', place])
    const shown = lines(stdout).map(line => line.split(/\s+/))
    expect(shown.slice(1, -1).map(([status, ...rest]) => `${status} ${rest.at(-1)}`)).toEqual([
      ...['idle well', 'idle down', 'failed again', 'failed long'],
    ])
    const failed = await antiphon(['threads', place, '--status', 'failed', '--json'])
    expect(lines(failed.stdout).map(line => JSON.parse(line))).toMatchObject([
      { name: 'again', state: 'idle', status: 'failed' },
      { name: 'long', state: 'idle', status: 'failed' },
    ])
    expect((await antiphon(['threads', place, '--status', 'parked'])).stdout).toBe('0 threads\n')
    expect(await antiphon(['threads', place, '--status', 'lost'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('[C199] a decision is told to connected processes', async () => {
    const redis = await startRedis()
    const url = redisUrl(redis.port)
    const [socket, named] = ['socket', 'named'].map(name => join(folder(), `told-${name}.db`))
    const schema = 'told'
    const ways: Way[] = [
      { place: socket, flags: [], options: {}, open: async () => socketTransport(socket) },
      { place: named, flags: ['--live', url], options: {}, open: () => redisTransport(url) },
      {
        ...{ place: server.url(), flags: ['--schema', schema, '--live', 'true'] },
        ...{ options: { schema }, open: () => postgresTransport(server.url(), { schema }) },
      },
    ]
    for (const { place, flags, options, open } of ways) {
      const location = place === server.url() ? place : `sqlite:${place}`
      await fill(location, options.schema)
      await using journal = await openJournal(location, options)
      const [call] = await journal.thread('user-42').openCalls()
      const transport = await open()
      const told = new Promise<string>(resolve => {
        transport.start({ receive: (_, text) => resolve(text), connected() {}, lost() {} })
      })
      // The channel of a thread is its random id, which ids of calls begin with.
      await transport.subscribe(call?.id.split('-')[0] ?? '')
      expect((await antiphon(['deny', place, 'user-42', call?.id ?? '', ...flags])).code).toBe(0)
      expect(JSON.parse(await told)).toMatchObject({ kind: 'head' })
      await transport.close()
    }
    await redis.stop()
  })

  test('[C54] approve and deny decide a call, with changed input if it is given', async () => {
    const decided = join(folder(), 'decided.db')
    for (const [place, where, ...flags] of [
      [decided, `sqlite:${decided}`],
      [server.url(), server.url(), '--schema', 'decided'],
    ] as const) {
      const thread = 'user-42'
      await using journal = await openJournal(where, flags.length > 0 ? { schema: 'decided' } : {})
      const calls = ['Lisbon', 'Porto'].map((city, index) => ({
        ...{ id: `call_${index}`, type: 'function' },
        function: { name: 'book', arguments: JSON.stringify({ city }) },
      }))
      const message = { role: 'assistant', content: null, tool_calls: calls }
      await journal.thread(thread).submit('Book.')
      await run(journal.thread(thread), {
        model: () => ({ choices: [{ message, finish_reason: 'tool_calls' }] }),
        tools: { book: { approval: true, execute: () => 'booked' } },
      })
      const [first, second] = (await journal.thread(thread).openCalls()).map(({ id }) => id)
      const decide = (...args: string[]) => antiphon([args[0], place, thread, ...args.slice(1), ...flags])
      const entries = async () => (await journal.store.find(thread))?.head
      const before = await entries()
      for (const [call, input] of [
        [first, '{"city'],
        [first, '"Faro"'],
        ['nothing', '{}'],
      ])
        expect(await decide('approve', call, '--input', input)).toMatchObject({ code: 2, stdout: '' })
      expect(await antiphon(['deny', place, 'nobody', first, ...flags])).toMatchObject({ code: 2, stdout: '' })
      expect(await entries()).toBe(before)
      expect(await decide('approve', first, '--input', '{"city":"Faro"}')).toMatchObject({
        ...{ code: 0, stdout: 'approved with changed input\n' },
      })
      expect(await decide('deny', second, '--reason', 'too dear')).toMatchObject({
        ...{ code: 0, stdout: 'denied: too dear\n' },
      })
      expect(await decide('deny', first)).toMatchObject({
        ...{ code: 1, stdout: 'it was already approved with changed input\n' },
      })
      expect(await journal.thread(thread).openCalls()).toMatchObject([{ input: { city: 'Faro' }, isApproved: true }])
    }
  })

  test('[C36] export writes every entry, or whole conversations', () =>
    everywhere(async where => {
      const [place, ...flags] = where
      const { code, stdout } = await antiphon(['export', place, ...flags])
      expect(code).toBe(0)
      const [head, ...rest] = lines(stdout).map(line => JSON.parse(line))
      expect(head).toEqual({ antiphon: 'journal', version: 5 })
      expect(rest.filter(line => 'thread' in line).map(({ thread }) => thread)).toEqual(['user-42', 'waiting'])
      const { stdout: whole } = await antiphon(['export', place, 'user-42', '--for', 'gemini', ...flags])
      expect(JSON.parse(whole)).toMatchObject({ thread: 'user-42', dialect: 'gemini', messages: { length: 5 } })
    }))

  test('[C71] threads shows titles and labels, and lists threads with a label, the newest first; expire keeps labels', async () => {
    const place = join(folder(), 'labels.db')
    {
      await using journal = await openJournal(`sqlite:${place}`)
      for (const name of ['one', 'two', 'three']) await journal.thread(name).describe({ labels: ['support'] })
      await journal.thread('two').describe({ title: 'A \u001b[31mtrip', labels: ['support', 'legal'] })
      await journal.thread('four').submit('Hello.')
    }
    const ends = async (...flags: string[]) =>
      lines((await antiphon(['threads', place, ...flags])).stdout)
        .slice(1, -1)
        .map(line => line.split(/Z +/)[1])
    const two = expect.stringMatching(/^two {2}"A \P{Cc}*trip" {2}#support {2}#legal$/u)
    expect(await ends('--label', 'support')).toEqual(['one  #support', two, 'three  #support'])
    expect(await ends('--newest')).toEqual(['four', 'three  #support', two, 'one  #support'])
    expect(await ends('--newest', '--limit', '2')).toEqual(['four', 'three  #support'])
    expect(await ends('--newest', '--limit', '1', '--after', 'four')).toEqual(['three  #support'])
    expect(await ends('--after', 'two')).toEqual(['three  #support', 'four'])
    expect((await antiphon(['threads', place, '--after', 'five'])).stderr).toContain('unknown thread "five"')
    expect((await antiphon(['threads', place, '--limit', 'none'])).code).toBe(2)
    const { stdout } = await antiphon(['threads', place, '--label', 'legal', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'two', metadata: { labels: ['support', 'legal'] } })
    const kept = ['--keep-label', 'legal', '--keep-label', 'other']
    const gone = lines((await antiphon(['expire', '--idle-days', '0.0000001', ...kept, '--json', place])).stdout).map(
      line => JSON.parse(line).name,
    )
    expect(gone).toEqual(['one', 'three', 'four'])
  })

  test('[C72] threads and show draw agents under their calls, with what they wait for, and export writes them', async () => {
    const place = join(folder(), 'agents.db')
    for (const [where, ...flags] of [[place], [server.url(), '--schema', 'with_agents']]) {
      await using journal = await openJournal(flags.length === 0 ? `sqlite:${where}` : where, {
        ...(flags.length > 0 && { schema: flags[1] }),
      })
      const pay = { approval: true, execute: () => 'paid' }
      const buy = agent({ model: scripted([['pay', { eur: 5 }]]), tools: { pay } })
      const research = agent({ model: scripted('There is one at noon.') })
      const plan = agent({ model: scripted([['buy', { what: 'a ticket' }]]), tools: { buy } })
      await journal.thread('trip').submit('I need a ticket')
      const model = scripted([['research', { task: 'Which?' }]], [['plan', { task: 'Buy it.' }]])
      await run(journal.thread('trip'), { model, tools: { research, plan } })
      await journal.thread('other').submit('Hello?')
      const open = await journal.thread('trip').openCalls({ deep: true })
      const [planning, buying, paying] = open.map(({ id }) => id)
      const [below, deepest] = [`trip/agent:${planning}`, `trip/agent:${planning}/agent:${buying}`]

      const { stdout } = await antiphon(['threads', where, ...flags])
      expect(lines(stdout).map(line => line.replace(/ +\d+ +(\d) {2}\S+Z {2}/, ' $1 '))).toEqual([
        expect.stringMatching(/^status/),
        'parked 1 trip',
        expect.stringMatching(/^idle 0 {3}trip\/agent:\S+$/),
        `parked 1   ${below}`,
        `parked 1     ${deepest}`,
        'idle 0 other',
        '2 threads, 3 agents',
      ])
      const parked = await antiphon(['threads', '--status', 'parked', '--json', where, ...flags])
      expect(lines(parked.stdout).map(line => JSON.parse(line))).toMatchObject([
        { name: 'trip' },
        { name: below, parent: 'trip', call: planning },
        { name: deepest, parent: below, call: buying },
      ])

      const shown = await antiphon(['show', where, 'trip', ...flags])
      expect(lines(shown.stdout).slice(-5)).toEqual([
        expect.stringMatching(/^agent {6}research \S+: done, thread trip\/agent:\S+$/),
        `agent      plan ${planning}: parked, thread ${below}`,
        `  agent    buy ${buying}: parked, thread ${deepest}`,
        `    open   pay ${paying}: waits for an approval`,
        expect.stringMatching(/^parked: 1 turn, /),
      ])
      const child = await antiphon(['show', where, deepest, ...flags])
      expect(child.stdout).toContain(`called by  ${below}, call ${buying}\n`)
      expect(child.stdout).toContain(`open       pay ${paying}: waits for an approval\n`)

      const names = ['trip', expect.stringMatching(/^trip\/agent:/), below, deepest]
      const threadsIn = (text: string) => lines(text).flatMap(line => JSON.parse(line).thread ?? [])
      const all = await antiphon(['export', where, ...flags])
      expect(threadsIn(all.stdout)).toEqual([...names, 'other'])
      const whole = await antiphon(['export', where, 'trip', '--for', 'openai', ...flags])
      expect(threadsIn(whole.stdout)).toEqual(names)

      const named = (text: string) => lines(text).map(line => line.replace(/ \(.*/, ''))
      const doomed = (verb: string) => [
        `${verb} trip`,
        expect.stringMatching(`^  ${verb} trip/agent:`),
        `  ${verb} ${below}`,
        `    ${verb} ${deepest}`,
      ]
      const idle = ['expire', '--idle-days', '0.0000001', where, ...flags]
      const expired = (verb: string) => [...doomed(verb), `${verb} other`, `${verb} 2 threads, 3 agents`]
      expect(named((await antiphon([...idle, '--dry-run'])).stdout)).toEqual(expired('would erase'))
      const erase = ['erase', where, 'trip', ...flags]
      expect(named((await antiphon([...erase, '--dry-run'])).stdout)).toEqual(doomed('would erase'))
      const json = lines((await antiphon([...erase, '--dry-run', '--json'])).stdout).map(line => JSON.parse(line).name)
      expect(json).toEqual(names)
      const branch = await antiphon(['erase', where, below, ...flags])
      expect(named(branch.stdout)).toEqual([`erased ${below}`, `  erased ${deepest}`])
      expect(named((await antiphon(erase)).stdout)).toEqual(doomed('erased').slice(0, 2))
    }
  })

  test('[C70] erase and expire print what they would erase, and erase it', async () => {
    const other = join(folder(), 'erased.db')
    await fill(`sqlite:${other}`)
    await fill(server.url(), 'erased')
    for (const [place, ...flags] of [[other], [server.url(), '--schema', 'erased']]) {
      const names = async () =>
        lines((await antiphon(['threads', '--json', place, ...flags])).stdout).map(line => JSON.parse(line).name)
      const would = await antiphon(['erase', '--dry-run', place, 'user-42', ...flags])
      expect(would).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^would erase user-42 \(\d+ entries, last/),
      })
      const wrong = await antiphon(['erase', place, 'waiting', 'user-43', ...flags])
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('user-43') })
      expect(await names()).toEqual(['user-42', 'waiting'])
      const done = await antiphon(['erase', '--json', place, 'user-42', ...flags])
      expect(JSON.parse(done.stdout)).toMatchObject({ name: 'user-42', erased: true })
      expect(await names()).toEqual(['waiting'])
      for (const command of ['erase', 'show', 'export']) {
        const refused = await antiphon([command, place, 'user-42', ...flags])
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the thread was erased') })
      }
      for (const days of ['0', 'x', '-1'])
        expect((await antiphon(['expire', `--idle-days=${days}`, place, ...flags])).code).toBe(2)
      expect((await antiphon(['expire', place, ...flags])).code).toBe(2)
      expect((await antiphon(['expire', '--idle-days', '1', place, ...flags])).stdout).toBe('erased 0 threads\n')
      const soon = ['expire', '--idle-days', '0.0000001', place, ...flags]
      expect(lines((await antiphon([...soon, '--dry-run'])).stdout)).toEqual([
        ...[expect.stringMatching(/^would erase waiting \(1 entry, last/), 'would erase 1 thread'],
      ])
      expect(await names()).toEqual(['waiting'])
      expect(lines((await antiphon(soon)).stdout).at(-1)).toBe('erased 1 thread')
      expect(await names()).toEqual([])
    }
    const nowhere = join(folder(), 'nowhere.db')
    expect((await antiphon(['erase', nowhere, 'user-42'])).code).toBe(2)
    expect(existsSync(nowhere)).toBe(false)
  })

  test('[C37] nothing is written, and what is not there is one line and exit code 2', async () => {
    const tables = () => server.sql(`SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'`)
    expect(await antiphon(['threads', server.url()])).toMatchObject({ code: 2, stdout: '' })
    expect(await tables()).toEqual([{ count: 0 }])
    expect(await antiphon(['threads', 'nowhere.db'], { cwd: folder() })).toMatchObject({ code: 2, stdout: '' })
    const { code, stderr } = await antiphon(['show', file, 'user-41'])
    expect(code).toBe(2)
    expect(stderr).toBe('antiphon: unknown thread "user-41" (did you mean user-42?)\n')
    expect(readdirSync(join(file, '..'))).toEqual(['chat.db'])
  })

  test('[C37] no address is repeated, since it may have a password in it', async () => {
    const secret = 'S3cret'
    for (const place of [
      `POSTGRES://app:${secret}@127.0.0.1:1/chat`,
      `postgresql+psycopg://app:${secret}@127.0.0.1:1/chat`,
      `host=127.0.0.1 user=app password=${secret} dbname=chat`,
      `postgres://app:/${secret}@127.0.0.1:1/chat`,
    ]) {
      const { code, stdout, stderr } = await antiphon(['threads', place])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(lines(stderr)).toHaveLength(1)
      expect(stderr).not.toContain(secret)
    }
  })

  /** A journal that no pipe takes at once. */
  async function long(): Promise<string> {
    const file = join(folder(), 'long.db')
    await using journal = await openJournal(`sqlite:${file}`)
    for (let index = 0; index < 40; index++) await journal.thread('t').submit('x'.repeat(100_000))
    return file
  }

  test('[C36] export waits for a slow reader, and has nothing to say about it', async () => {
    const child = spawn(process.execPath, [programFile('antiphon'), 'export', await long()])
    const stderr: Buffer[] = []
    child.stderr.on('data', chunk => stderr.push(chunk))
    let bytes = 0
    for await (const chunk of child.stdout) {
      bytes += chunk.length
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    expect(bytes).toBeGreaterThan(4_000_000)
    expect(Buffer.concat(stderr).toString()).toBe('')
  })

  test('[C29] an export whose reader has seen enough is not a failure', async () => {
    const child = spawn(process.execPath, [programFile('antiphon'), 'export', await long()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.stdout.destroy()
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

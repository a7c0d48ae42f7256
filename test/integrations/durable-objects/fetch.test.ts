import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { Follower } from './follower.ts'
import { openThreadObjects } from './thread-objects.ts'

const objects = await openThreadObjects()
const followers: Follower[] = []
afterAll(() => {
  for (const follower of followers) follower.close()
  return objects.close()
})
const { get, post, finish } = objects
const json = async (path: string, body: unknown): Promise<unknown> => JSON.parse(await post(path, body))

function follow(name: string): Follower {
  const follower = new Follower(() => `${objects.url()}/${name}`)
  followers.push(follower)
  return follower
}

test('[OB3] input, messages, entries and status', async () => {
  const receipt = await json('/ann/input', { content: 'plain', key: 'k' })
  expect(receipt).toEqual({ thread: 'ann', key: 'k', seq: 1 })
  const { entries } = await finish('ann')
  expect(await json('/ann/input', { content: 'plain', key: 'k' })).toEqual(receipt)
  expect(await get('/ann/messages')).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, {}])
  expect(await get('/ann/messages?for=anthropic')).toMatchObject([{}, {}, { content: [{ type: 'tool_result' }] }, {}])
  expect(await get('/ann/entries')).toMatchObject({ entries })
  expect(await get('/ann/entries?after=2')).toMatchObject({ entries: entries.slice(2) })
  expect(await get('/ann/status')).toMatchObject({ state: 'idle', open: [] })
})

test('[OB3] approve, deny, settle and interrupt', async () => {
  const openCall = (name: string) =>
    eventually(async () => {
      const { open } = (await get(`/${name}/status`)) as { open: { id: string; parked?: object }[] }
      expect(open[0]?.parked).toBeDefined()
      return open[0]?.id
    })
  const lastOutput = async (name: string) => {
    const { entries } = await finish(name)
    return JSON.stringify(entries.filter(({ kind }) => kind === 'call-settle').map(entry => entry))
  }
  await post('/bob/input', { content: 'asking' })
  expect(await json('/bob/approve', { call: await openCall('bob') })).toMatchObject({ status: 'approved' })
  expect(await lastOutput('bob')).toContain('pay did it')
  await post('/cid/input', { content: 'asking' })
  expect(await json('/cid/deny', { call: await openCall('cid'), reason: 'too much' })).toMatchObject({
    status: 'denied',
  })
  expect(await lastOutput('cid')).toContain('too much')
  await post('/dan/input', { content: 'outside' })
  expect(await json('/dan/settle', { call: await openCall('dan'), output: 'forty' })).toMatchObject({ isFirst: true })
  expect(await lastOutput('dan')).toContain('forty')
  await post('/eve/input', { content: 'asking' })
  await openCall('eve')
  expect(await json('/eve/interrupt', {})).toMatchObject({ isInterrupted: true })
  await eventually(async () => expect(await get('/eve/status')).toMatchObject({ last: { status: 'interrupted' } }))
})

test('[OB3] a request that cannot be answered says why', async () => {
  const errors = [
    ['nothing', { content: 'x' }, 'unknown-request'],
    ['input', { content: '' }, 'invalid-input'],
    ['input', [], 'bad-request'],
    ['input', { content: 'x', key: 5 }, 'bad-request'],
    ['input', { content: 'x', whenBusy: 'never' }, 'bad-request'],
    ['approve', {}, 'bad-request'],
    ['approve', { call: 'none' }, 'unknown-call'],
  ] as const
  for (const [action, body, code] of errors)
    expect(await json(`/fay/${action}`, body), action).toMatchObject({ error: { code } })
  expect(await get('/fay/nothing')).toMatchObject({ error: { code: 'unknown-request' } })
  expect(await get('/fay/entries?after=x')).toMatchObject({ error: { code: 'bad-request' } })
  expect(await get('/fay/messages?for=nobody')).toMatchObject({ error: { code: 'unknown-dialect' } })
})

test('[OB4] a WebSocket gets every entry and what streams, and takes the same actions', async () => {
  const follower = follow('gus')
  await follower.open()
  follower.send({ id: 1, do: 'input', content: 'slow' })
  await eventually(() => expect(follower.streamed).toBe('Part one. '))
  expect(follower.answers).toMatchObject([{ id: 1, done: { thread: 'gus', seq: 1 } }])
  await post('/gus/release')
  const { entries } = await finish('gus')
  await eventually(() => expect(follower.entries).toEqual(entries))
  expect(follower.streamed).toBe('Part one. Part two.')
  expect(follower.counts).toMatchObject({ retractions: 0, connections: 1 })
  follower.send({ id: 2, do: 'approve' })
  await eventually(() => expect(follower.answers[1]).toMatchObject({ id: 2, error: { code: 'bad-request' } }))
})

test('[OB10] a WebSocket of a page of another origin is refused, unless its origin is allowed', async () => {
  const opens = (headers: Record<string, string>): Promise<boolean> => {
    const socket = new WebSocket(`${objects.url().replace('http', 'ws')}/moe/live`, { headers })
    return new Promise(resolve => {
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    }).finally(() => socket.close()) as Promise<boolean>
  }
  expect(await opens({ origin: 'https://evil.example' })).toBe(false)
  expect(await opens({ origin: 'null' })).toBe(false)
  expect(await opens({ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' })).toBe(false)
  expect(await opens({ origin: objects.url() })).toBe(true)
  expect(await opens({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' })).toBe(true)
  expect(await opens({})).toBe(true)
})

test('[OB4] a client that connects again after a crash in a response gets the rest, and what was lost is retracted', async () => {
  const follower = follow('hal')
  await follower.open()
  await post('/hal/input', { content: 'slow' })
  await eventually(() => expect(follower.streamed).toBe('Part one. '))
  await post('/hal/abort')
  await eventually(() => expect(follower.counts.retractions).toBe(1))
  await post('/hal/release')
  const { entries } = await finish('hal')
  await eventually(() => expect(follower.entries).toEqual(entries))
  expect(follower.streamed).toBe('Part one. Part two.')
  expect(follower.counts.connections).toBeGreaterThan(1)
})

test('[OB5] an object whose sockets wait hibernates, and they get the rest when it wakes', async () => {
  const others = ['ida', 'joe', 'kim'].map(follow)
  for (const [index, follower] of others.entries()) {
    await follower.open()
    follower.send({ do: 'input', content: inputs[index] })
  }
  await eventually(() => {
    for (const { entries } of others) expect(entries.length).toBeGreaterThan(3)
  })
  // The runtime takes an object out of memory when it was idle for ten seconds.
  for (const [index, name] of ['ida', 'joe', 'kim'].entries()) {
    const { entries, instances } = await hibernated(name)
    expect(instances).toBeGreaterThan(1)
    await eventually(() => expect(others[index].entries).toEqual(entries))
    expect(others[index].counts.connections).toBe(1)
  }
})

test('[OB6] an older instance writes nothing more when a newer one has the turn', async () => {
  await post('/lea/input', { content: 'slow' })
  await eventually(async () => expect(await get('/lea/status')).toMatchObject({ state: 'running' }))
  const replaced = post('/lea/replace')
  await eventually(async () => expect(JSON.stringify(await get('/lea/entries'))).toContain('turn-resume'))
  await post('/lea/release')
  await replaced
  const { entries } = await finish('lea')
  const kinds = entries.map(({ kind, epoch }) => `${kind} ${epoch}`)
  expect(kinds.slice(-3)).toEqual(['turn-resume 2', 'response-record 2', 'turn-end 2'])
  await eventually(async () => expect(await get('/lea/state')).toMatchObject({ error: 'fenced' }))
})

const inputs = ['plain', 'asking', 'outside']

/** Waits until the object was taken out of memory, wakes it, and has its turn ended. */
async function hibernated(name: string) {
  await eventually(async () => {
    await new Promise(resolve => setTimeout(resolve, 12_000))
    expect(await get(`/${name}/state`)).toMatchObject({ instances: 2 })
  })
  await post(`/${name}/input`, { content: 'parallel' })
  return finish(name)
}

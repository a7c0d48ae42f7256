import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ChatHandlerOptions, ChatTools } from '../../../src/integrations/ai-sdk/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { calls, plain, startWorld, told, type World } from './chat-world.ts'
import type { Talk } from './client.ts'
import { client6 } from './client-6.ts'
import { client7 } from './client-7.ts'

const slowly = { text: `It is a very long story${' that goes on'.repeat(6)}.`, fail: 'slow:25' } as const
const look = { name: 'look', input: { at: 'sky' } }
const grounds = [
  { client: client6, name: client6.name, store: 'memory' },
  { client: client7, name: client7.name, store: 'sqlite' },
]

/** The words of a chat, each message on its own. */
const words = (messages: Talk['messages']): string[] =>
  messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))

describe.each(grounds)('$name with $store', ({ client, store }) => {
  test('[AI37] an edited message replaces the old one and what follows it', async () => {
    await using world = await start({}, ['One.', 'Two.', 'Three.', 'Four.', 'Five.'])
    const talk = world.open('c1')
    await talk.send('First', 'm1')
    await talk.send('Second', 'm2')
    await talk.edit('m1', 'First, edited')
    expect(talk.failures).toEqual([])
    expect(words(talk.messages)).toEqual(['First, edited', 'Three.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    expect(lastRequest(world)).toEqual(['First, edited'])
    // Once more, back to the first text, and from a client that has loaded the messages again.
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.edit('m1', 'First')
    expect(words(reloaded.messages)).toEqual(['First', 'Four.'])
    await reloaded.send('And then?')
    expect(words(await world.load('c1'))).toEqual(['First', 'Four.', 'And then?', 'Five.'])
    expect(await world.load('c1')).toEqual(plain(reloaded.messages))
    expect(words(await world.load('c1', 1))).toEqual(['First', 'One.', 'Second', 'Two.'])
    world.expectAccepted(5)
  })

  test('[AI37] a page that disconnects and edits in the middle of an answer shows the edited message and its answer', async () => {
    await using world = await start({}, [slowly, 'Two.', 'Three.'])
    const talk = world.open('c1')
    const first = talk.send('First', 'm1')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    await talk.stop()
    await talk.edit('m1', 'First, edited')
    await first
    expect(words(talk.messages)).toEqual(['First, edited', 'Two.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI37] an edit is one branch, however often it is sent', async () => {
    await using world = await start({}, ['One.', 'Two.', 'Three.'])
    const first = world.open('c1')
    await first.send('Hello', 'm1')
    const before = plain(first.messages)
    const talks = ['a', 'b', 'c'].map(() => world.open('c1', before))
    await Promise.all(talks.map(talk => talk.edit('m1', 'Hello again')))
    const late = world.open('c1', before)
    await late.edit('m1', 'Hello again')
    for (const talk of [...talks, late]) expect(words(talk.messages)).toEqual(['Hello again', 'Two.'])
    expect(await branchCount(world)).toBe(2)
    world.expectAccepted(2)
  })

  test('[AI37] an edit with a new id, with the trigger of regenerate, or in a body of its own is an edit as well', async () => {
    await using world = await start({}, ['One.', 'Two.', 'Three.', 'Four.'])
    const talk = world.open('c1')
    await talk.send('Hello', 'm1')
    await talk.edit('m1', 'With a new id', 'm2')
    expect(words(await world.load('c1'))).toEqual(['With a new id', 'Two.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    // The first version of the library keeps the old id.
    const [{ id }] = talk.messages
    talk.show([{ id, role: 'user', parts: [{ type: 'text', text: 'As in the template' }] }])
    await talk.regenerate()
    expect(words(talk.messages)).toEqual(['As in the template', 'Three.'])
    const message = { id, role: 'user', parts: [{ type: 'text', text: 'The last message alone' }] }
    for (const _ of ['once', 'twice']) {
      const response = await world.post({ id: 'c1', message })
      expect(await response.text()).toContain('Four.')
    }
    expect(words(await world.load('c1'))).toEqual(['The last message alone', 'Four.'])
    expect(await branchCount(world)).toBe(4)
  })

  test('[AI37] an edit interrupts the answer that it makes obsolete', async () => {
    await using world = await start({}, [slowly, 'Two.'])
    const talk = world.open('c1')
    const sending = talk.send('Tell me a story.', 'm1')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    const other = world.open('c1', [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Tell me a story.' }] }])
    await other.edit('m1', 'Be brief.')
    await sending
    expect(words(other.messages)).toEqual(['Be brief.', 'Two.'])
    expect(await world.load('c1')).toEqual(plain(other.messages))
  })

  test('[AI38] the last message is answered again on a branch, and the effects of the first answer stay there', async () => {
    const execute = vi.fn(() => 'blue')
    const script: ReplyScript = [{ calls: [look] }, 'Blue.', 'I do not look.', 'Yes.']
    await using world = await start({ look: client.tool(execute) }, script)
    const talk = world.open('c1')
    await talk.send('What colour?', 'm1')
    const first = plain(talk.messages)
    await talk.regenerate()
    expect(talk.failures).toEqual([])
    expect(told(talk)).toEqual(['step-start', 'I do not look.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    expect(await world.load('c1', 1)).toEqual(first)
    expect(execute).toHaveBeenCalledTimes(1)
    await talk.send('Sure?')
    expect(lastRequest(world)).toEqual(['What colour?', 'I do not look.', 'Sure?'])
    world.expectAccepted(4)
  })

  test('[AI38] an earlier answer is given again, without what follows it', async () => {
    await using world = await start({}, ['One.', 'Two.', 'Three.', 'Four.'])
    const talk = world.open('c1')
    await talk.send('First')
    await talk.send('Second')
    const whole = plain(talk.messages)
    await talk.regenerate(whole[1].id)
    expect(words(talk.messages)).toEqual(['First', 'Three.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
    // Sent again, the request names an answer that was given again already.
    const twice = world.open('c1', whole)
    await twice.regenerate(whole[1].id)
    expect(twice.messages).toEqual(talk.messages)
    // By the id of the message, in a tab that shows the old branch.
    const stale = world.open('c1', whole)
    await stale.regenerate(whole[2].id)
    expect(words(stale.messages)).toEqual(['First', 'One.', 'Second', 'Four.'])
    expect(await world.load('c1')).toEqual(plain(stale.messages))
    expect(await branchCount(world)).toBe(3)
    world.expectAccepted(4)
  })

  test('[AI38] clicks at the same time are answered once', async () => {
    await using world = await start({}, ['One.', { ...slowly, text: 'Two.' }, 'Three.'])
    const first = world.open('c1')
    await first.send('Hello')
    const before = plain(first.messages)
    const talks = ['a', 'b', 'c'].map(() => world.open('c1', before))
    await Promise.all(talks.map(talk => talk.regenerate()))
    for (const talk of talks) expect(words(talk.messages)).toEqual(['Hello', 'Two.'])
    await first.regenerate()
    expect(words(first.messages)).toEqual(['Hello', 'Three.'])
    expect(await branchCount(world)).toBe(3)
    world.expectAccepted(3)
  })

  test('[AI38] an answer that waits for a decision is given again instead', async () => {
    const execute = vi.fn(() => 'blue')
    const tools = { look: client.tool(execute, { needsApproval: true }) }
    await using world = await start(tools, [{ calls: [look] }, 'Then not.'])
    const talk = world.open('c1')
    await talk.send('What colour?')
    expect(calls(talk)).toMatchObject([{ state: 'approval-requested' }])
    await talk.regenerate()
    expect(told(talk)).toEqual(['step-start', 'Then not.'])
    expect(execute).not.toHaveBeenCalled()
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI39] the versions of messages can be shown, and continued', async () => {
    await using world = await start({}, ['One.', 'Two.', 'Three.', 'Four.', 'Five.'])
    const talk = world.open('c1')
    expect(await world.get('c1/branches')).toEqual({ branches: [{ branch: 1, isCurrent: true }], versions: [] })
    await talk.send('Hello', 'm1')
    await talk.regenerate()
    await talk.regenerate()
    await talk.edit('m1', 'Good evening')
    const versions = async (branch?: number) => {
      const query = branch === undefined ? '' : `?branch=${branch}`
      return ((await world.get(`c1/branches${query}`)) as { versions: unknown }).versions
    }
    expect(await versions()).toEqual([{ id: 'm1', branches: [3, 4], index: 1 }])
    const [, one] = (await world.get('c1?branch=1')) as Talk['messages']
    expect(await versions(1)).toEqual([
      { id: 'm1', branches: [1, 4], index: 0 },
      { id: one.id, branches: [1, 2, 3], index: 0 },
    ])
    expect(words((await world.get('c1?branch=2')) as Talk['messages'])).toEqual(['Hello', 'Two.'])
    const shown = (await world.put('c1?branch=1')) as Talk['messages']
    expect(words(shown)).toEqual(['Hello', 'One.'])
    talk.show(shown)
    await talk.send('And you?')
    expect(lastRequest(world)).toEqual(['Hello', 'One.', 'And you?'])
    expect(words(await world.load('c1'))).toEqual(['Hello', 'One.', 'And you?', 'Five.'])
    expect(await world.load('c1')).toEqual(plain(talk.messages))
  })

  test('[AI39] a branch that does not exist is refused, and one is not changed under a running answer', async () => {
    await using world = await start({}, ['One.', 'Two.', slowly])
    const talk = world.open('c1')
    for (const place of ['c1?branch=2', 'c1?branch=1']) expect(await world.status('PUT', place)).toBe(404)
    expect(await world.status('GET', 'c1?branch=2')).toBe(404)
    for (const place of ['c1?branch=0', 'c1?branch=two', 'c1/branches?branch='])
      expect(await world.status('GET', place)).toBe(400)
    expect(await world.journal.store.find('c1')).toBeUndefined()
    await talk.send('Hello')
    await talk.regenerate()
    expect(await world.status('PUT', 'c1?branch=3')).toBe(404)
    const sending = talk.send('Tell me a story.')
    await eventually(() => expect(told(talk).join()).toContain('very'))
    expect(await world.status('PUT', 'c1?branch=1')).toBe(409)
    await sending
    expect(words(talk.messages).at(-1)).toBe(slowly.text)
  })

  const lastRequest = ({ strict }: World): unknown[] => {
    const body = strict.requests.at(-1)?.body as { messages: { content: unknown }[] }
    return body.messages.map(({ content }) => textOf(content))
  }

  async function start(tools: ChatTools, script: ReplyScript, options: Partial<ChatHandlerOptions> = {}) {
    const strict = await startStrict({ script })
    const location =
      store === 'memory' ? 'memory:' : `sqlite:${join(mkdtempSync(join(tmpdir(), 'antiphon-chat-')), 'chat.db')}`
    return startWorld(strict, client, { model: client.models.openai(strict.url), tools, ...options }, location)
  }
})

const branchCount = async (world: World): Promise<number> => (await world.journal.thread('c1').branches()).length

const textOf = (content: unknown): unknown =>
  Array.isArray(content) ? content.map(({ text }) => text).join('') : content

import { describe, expect, test } from 'vitest'
import type { ChatTools } from '../../../src/integrations/ai-sdk/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { eventually } from '../../eventually.ts'
import { called, calls, clients, plain, startWorld, told } from './chat-world.ts'
import { gate } from './gate.ts'

const look = { name: 'look', input: { at: 'sky' } }
const asked: ReplyScript = [{ text: 'May I?', calls: [look] }, 'Blue.']
const whole = ['step-start', 'May I?', called, 'step-start', 'Blue.']

describe.each(clients)('$name', client => {
  test('[AI61] while an approved call runs, a client that resumes gets the rest of the answer, and no question', async () => {
    const [begun, ended] = [gate(), gate()]
    const execute = async () => {
      begun.open()
      await ended.passed
      return 'blue'
    }
    await using world = await start({ look: client.tool(execute, { needsApproval: true }) })
    const talk = world.open('c1')
    await talk.send('What colour is the sky?', 'm1')
    const approving = talk.approve(calls(talk)[0].approval?.id ?? '', true)
    await begun.passed
    const reloaded = world.open('c1', await world.load('c1'))
    const empty = world.open('c1')
    const again = world.open('c1')
    const following = [reloaded.resume(), empty.resume(), again.send('What colour is the sky?', 'm1')]
    for (const tab of [reloaded, empty, again])
      await eventually(() => expect(calls(tab)).toMatchObject([{ state: 'input-available' }]))
    ended.open()
    await Promise.all([approving, ...following])
    for (const tab of [talk, reloaded, empty, again]) await eventually(() => expect(told(tab)).toEqual(whole))
    expect(await world.load('c1')).toMatchObject(plain(reloaded.messages))
    world.expectAccepted(2)
  })

  test('[AI61] a message that is sent again gets the whole answer, also what followed an approval', async () => {
    await using world = await start({ look: client.tool(() => 'blue', { needsApproval: true }) })
    const talk = world.open('c1')
    await talk.send('What colour is the sky?', 'm1')
    const waiting = world.open('c1')
    await waiting.send('What colour is the sky?', 'm1')
    expect(calls(waiting)).toMatchObject([{ state: 'approval-requested' }])
    await talk.approve(calls(talk)[0].approval?.id ?? '', true)
    await eventually(() => expect(told(talk)).toEqual(whole))
    const again = world.open('c1')
    await again.send('What colour is the sky?', 'm1')
    expect(told(again)).toEqual(whole)
    world.expectAccepted(2)
  })

  test('[AI62] a client that resumes continues an answer whose call was decided, and not run, before a crash', async () => {
    await using world = await start({ look: client.tool(() => 'blue', { needsApproval: true }) })
    const talk = world.open('c1')
    await talk.send('What colour is the sky?')
    expect(await world.status('GET', 'c1/stream')).toBe(204)
    // Another process has stored the decision, and nothing more.
    await world.journal.thread('c1').approve(calls(talk)[0].approval?.id ?? '')
    const reloaded = world.open('c1', await world.load('c1'))
    await reloaded.resume()
    expect(told(reloaded)).toEqual(whole)
    expect(calls(reloaded)).toMatchObject([{ state: 'output-available', output: 'blue' }])
    expect(await world.load('c1')).toMatchObject(plain(reloaded.messages))
    world.expectAccepted(2)
  })

  async function start(tools: ChatTools) {
    const strict = await startStrict({ script: asked })
    return startWorld(strict, client, { model: client.models.openai(strict.url), tools })
  }
})

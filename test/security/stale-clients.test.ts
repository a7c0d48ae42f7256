import type { Message } from '@ag-ui/client'
import { describe, expect, test } from 'vitest'
import { type Client, openScene, type Scene } from '../integrations/ag-ui/scene.ts'

describe('[SE680] a client that does not know the branch which another one has chosen can go on', () => {
  test('it edits a message that the current branch does not have', async () => {
    await using scene = await openScene(['One.', 'Two.', 'Rome.', 'Faro.', 'Bye.'])
    const { stale } = await leftBehind(scene)
    const [first, answer, last] = stale.agent.messages
    stale.agent.setMessages([first, answer, changed(last, 'And in Faro?')])
    expect(await stale.go()).toMatchObject({ type: 'RUN_FINISHED' })
    expect(said(stale)).toEqual(['How is it?', 'One.', 'And in Faro?', 'Faro.'])
    await stale.say('Thanks')
    expect(said(stale)).toEqual(['How is it?', 'One.', 'And in Faro?', 'Faro.', 'Thanks', 'Bye.'])
    expect(await scene.thread.branches()).toHaveLength(3)
  })

  test('it has a message as it was edited before', async () => {
    await using scene = await openScene(['One.', 'Two.', 'Faro.', 'Rome.', 'Bye.'])
    const [one, stale] = [scene.agent(), scene.agent('stale')]
    await one.say('How is it?')
    await one.say('And tomorrow?')
    const [first, answer, last] = structuredClone(one.agent.messages)
    const edited = changed(last, 'And in Faro?')
    one.agent.setMessages([first, answer, edited])
    await one.go()
    one.agent.setMessages([changed(first, 'How is it in Rome?')])
    await one.go()
    // Its answer was interrupted before it began.
    stale.agent.setMessages([first, answer, edited])
    expect(await stale.say('Thanks')).toMatchObject({ type: 'RUN_FINISHED' })
    expect(said(stale)).toEqual(['How is it in Rome?', 'Rome.', 'Thanks', 'Bye.'])
    expect(scene.reports.flatMap(({ repairs }) => repairs.map(({ rule, at }) => `${rule} ${at}`))).toContain(
      'changed-message messages[2]',
    )
  })
})

/** A client with two messages and their answers, the first of which another client has edited since. */
async function leftBehind(scene: Scene): Promise<{ stale: Client }> {
  const [one, stale] = [scene.agent(), scene.agent('stale')]
  await one.say('How is it?')
  await one.say('And tomorrow?')
  await stale.go()
  one.agent.setMessages([changed(one.agent.messages[0], 'How is it in Rome?')])
  await one.go()
  return { stale }
}

const changed = (message: Message, content: string): Message => ({ ...message, content }) as Message

const said = ({ agent }: Client): unknown[] => agent.messages.map(({ content }) => content)

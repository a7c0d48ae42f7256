import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertToModelMessages, validateUIMessages } from 'ai'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { aiSdkChat } from '../../../../src/doctor/systems/ai-sdk-chat/index.ts'
import { healSample, inFolder } from '../../contract.ts'
import { type HealedText, healText } from '../../heal-text.ts'
import { refusals } from './subject.ts'

const sample = (name: string): string => join(import.meta.dirname, 'samples', name)
const textOf = (path: string): string => readFileSync(path, 'utf8')
const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('samples of AI SDK chats', () => {
  test.each([
    ['broken.json', 'healed.json'],
    ['object-broken.json', 'object-healed.json'],
  ])('[DK1] %s is diagnosed, and repaired to %s', async (before, after) => {
    expect(await refusals(sample(before))).not.toEqual([])
    await healSample(aiSdkChat, sample(before), async (path, [{ examination }]) => {
      expect(examination.repairs.map(({ rule, at }) => `${rule} at ${at}`)).toEqual([
        'unanswered-call at messages[1].parts[3]',
      ])
      const [thrown] = await refusals(sample(before))
      expect(thrown).toContain(examination.repairs[0].refusal)
      expect(textOf(path)).toBe(textOf(sample(after)))
      expect(await refusals(path)).toEqual([])
    })
  })

  test.each([
    ['healthy.json', 'healthy'],
    ['healed.json', 'healthy'],
    ['pending.json', 'pending'],
  ])('[DK2] %s is %s, and is restored byte for byte', async (name, state) => {
    await healSample(aiSdkChat, sample(name), (path, [{ examination }]) => {
      expect(examination.state).toBe(state)
      expect(readFileSync(path).equals(readFileSync(sample(name)))).toBe(true)
    })
  })
})

const user = (text: string) => ({ id: `u-${text}`, role: 'user', parts: [{ type: 'text', text }] })
const assistant = (id: string, ...parts: object[]) => ({
  id,
  role: 'assistant',
  parts: [{ type: 'step-start' }, ...parts],
})
const call = (id: string, fields: object) => ({ type: 'tool-book', toolCallId: id, input: { to: 'LIS' }, ...fields })
const heal = (messages: unknown[]): Promise<HealedText> => healText(aiSdkChat, 'c.json', JSON.stringify(messages))

describe('AI SDK chats', () => {
  test.each([
    ['input-available', {}],
    ['approval-requested', { approval: { id: 'ap' } }],
    ['approval-responded', { approval: { id: 'ap', approved: true } }],
  ])('[DK3] a call in %s waits at the end, and is answered once text follows it', async (state, fields) => {
    const open = [user('go'), assistant('m', call('c1', { state, ...fields }))]
    const waiting = await heal(open)
    expect(waiting.examination.state).toBe('pending')
    expect(waiting.text).toBe(JSON.stringify(open))
    const { text, broken } = await heal([...open, user('well?')])
    expect(broken).toEqual(['unanswered-call at messages[1].parts[1]'])
    const messages = JSON.parse(text)
    await expect(validateUIMessages({ messages })).resolves.toEqual(messages)
    const roles = (await convertToModelMessages(messages)).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user'])
  })

  test('[DK3] a denial stays one, with its reason', async () => {
    const approval = { id: 'ap', approved: false, reason: 'too dear' }
    const { text } = await heal([
      user('go'),
      assistant('m', call('c1', { state: 'approval-responded', approval })),
      user('well?'),
    ])
    expect(JSON.parse(text)[1].parts[1]).toMatchObject({ state: 'output-denied', approval })
  })

  test('[DK3] a call that nothing marks as waiting is answered at the end too', async () => {
    const { text } = await heal([user('go'), assistant('m', call('c1', {}), call('c2', { state: 'input-available' }))])
    const [, lost, waiting] = JSON.parse(text)[1].parts
    expect(lost).toMatchObject({ state: 'output-error', errorText: unknown })
    expect(waiting).toEqual(call('c2', { state: 'input-available' }))
  })

  test('[DK4] of a message that was saved before its calls ran and after, what they gave is kept', async () => {
    const done = call('c1', { state: 'output-available', output: 'booked' })
    const early = assistant('m1', call('c1', { state: 'input-available' }))
    const { text } = await heal([user('go'), early, assistant('m2', done, { type: 'text', text: 'ok' })])
    const parts = JSON.parse(text).flatMap((message: { parts: object[] }) => message.parts)
    expect(parts.filter((part: { toolCallId?: string }) => part.toolCallId === 'c1')).toEqual([done])
  })

  test('[DK5] the list may be under any key, and everything around it stays as it is', async () => {
    const messages = [user('go'), assistant('m', call('c1', { state: 'input-available' })), user('on')]
    const list = JSON.stringify(messages)
    const around = (inside: string) => `{"id":1.0,"tags":["a"], "history" : ${inside},\n"at":1e5,"w":"\\u00e9"}`
    const { text } = await healText(aiSdkChat, 'c.json', around(list))
    expect(text).toBe(
      around(
        list
          .replace('"state":"input-available"', `"state":"output-error","errorText":"${unknown}"`)
          .replace(/"input":\{"to":"LIS"\},("state":"output-error","errorText":"[^"]*")/, '"input":{"to":"LIS"},$1'),
      ),
    )
  })

  test('[DK5] chats are looked for where the guide keeps them, and an empty one is one', async () => {
    expect(aiSdkChat.places({ home: '/h', folder: '/f', environment: {}, platform: 'linux' })).toEqual([
      join('/f', '.chats'),
    ])
    await inFolder(async folder => {
      mkdirSync(join(folder, '.chats'))
      writeFileSync(join(folder, '.chats', 'new.json'), '[]')
      const states: string[] = []
      for await (const one of examineStores([join(folder, '.chats')], { systems: [aiSdkChat] }))
        states.push(one.kind === 'conversation' ? `${one.id} ${one.examination.state}` : one.kind)
      expect(states).toEqual(['new healthy'])
    })
  })

  test.each([
    ['a file that was cut', '[{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":', /c\.json:1:/],
    [
      'bytes that are not text',
      Buffer.concat([
        Buffer.from('[{"id":"u","role":"user","parts":[{"type":"text","text":"'),
        Buffer.from([0xff]),
        Buffer.from('"}]}]'),
      ]),
      /it is not UTF-8/,
    ],
    ['an empty file', '', /the file is empty/],
  ])('[DK6] %s is one clear line', async (_, content, words) => {
    await expect(healText(aiSdkChat, 'c.json', content)).rejects.toThrow(words)
  })

  test('[DK6] parts and messages of unknown kinds stay as they are', async () => {
    const odd = [
      { id: 'x', role: 'narrator', parts: [] },
      user('go'),
      assistant('m', { type: 'step-start' }, { type: 'hologram', data: [1] }, { type: 'text', text: 'ok' }),
    ]
    const { text, examination } = await heal(odd)
    expect(text).toBe(JSON.stringify(odd))
    expect(examination.state).toBe('healthy')
  })
})

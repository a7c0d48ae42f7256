import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai'
import { expect, test, vi } from 'vitest'
import type { AgUiOptions } from '../../../src/integrations/ag-ui/index.ts'
import type { ReplyContent } from '../../../src/strict/index.ts'
import { askers } from '../../codecs/replies-clients.ts'
import { openScene, shapes, types, verdicts } from './scene.ts'

const script: ReplyContent[] = [
  {
    ...{ thinking: 'I need to look.', text: 'One moment.' },
    calls: [
      { name: 'weather', input: { city: 'Lisbon' } },
      { name: 'time', input: { city: 'Porto' } },
    ],
  },
  { thinking: 'And again.', calls: [{ name: 'time', input: {} }] },
  { text: 'Done.' },
]
const said = ['user', 'assistant: One moment.', 'weather, time', 'tool: sunny', 'tool: noon', 'time', 'tool: noon']
const tools = { weather: { execute: () => 'sunny' }, time: { execute: () => 'noon' } }

const ways = askers.flatMap(asker => (['stream', 'whole'] as const).map(way => ({ name: asker.name, way, asker })))

test.each(ways)('[AG27] $name, $way: what is told on the way is what the one snapshot at the end says', async run => {
  const { asker, way } = run
  let url = ''
  const model: AgUiOptions['model'] = ({ messages }) => asker[way](url, messages, true)
  const thread = { for: asker.reader, format: asker.format, model: asker.model }
  await using scene = await openScene(script, { model, thread, tools })
  url = scene.strict.url
  const { agent, events, say } = scene.agent()
  let before: string[] = []
  agent.subscribe({
    onMessagesSnapshotEvent({ messages }) {
      before = shapes([...messages])
    },
  })
  expect(await say('How is it?')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(types(events).filter(type => type === 'MESSAGES_SNAPSHOT')).toHaveLength(1)
  expect(before).toEqual([...said, 'assistant: Done.'])
  expect(shapes(agent.messages)).toEqual(before)
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted'])
})

test('[AG27] a stream with several steps and their results in it is put in order when it is recorded', async () => {
  const silenced = vi.spyOn(console, 'warn').mockImplementation(() => {})
  let url = ''
  const inputSchema = jsonSchema<{ city?: string }>({ type: 'object', properties: { city: { type: 'string' } } })
  const model: AgUiOptions['model'] = ({ messages }) =>
    streamText({
      model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat('gpt-5'),
      messages: messages as ModelMessage[],
      tools: {
        weather: tool({ inputSchema, execute: async () => 'sunny' }),
        time: tool({ inputSchema, execute: async () => 'noon' }),
      },
      stopWhen: stepCountIs(5),
    })
  await using scene = await openScene(script, { model, thread: { for: 'openai', format: 'ai-sdk' } })
  url = scene.strict.url
  const { agent, say } = scene.agent()
  expect(await say('How is it?')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  silenced.mockRestore()
  expect(shapes(agent.messages)).toEqual([...said, 'assistant: Done.'])
})

import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, streamText, tool } from 'ai'
import { chatHandler } from 'antiphon/adapters/ai-sdk'
import { openJournal } from 'antiphon/journal'

const model = createOpenAI().chat('gpt-5.5')
const inputSchema = jsonSchema<{ eur: number }>({ type: 'object', properties: { eur: { type: 'number' } } })

const handle = chatHandler(await openJournal('sqlite:chat.db'), {
  model: ({ messages, tools, signal }) => streamText({ model, messages, tools, abortSignal: signal }),
  tools: { pay: tool({ inputSchema, execute: ({ eur }) => `paid ${eur} EUR`, needsApproval: true }) },
})

export { handle as DELETE, handle as GET, handle as POST, handle as PUT }

import type { Examples } from '../example.ts'

const tool = (name: string): object => ({ name, input_schema: { type: 'object' } })

const asking = (name: string): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools: [tool(name), tool('files_read')],
  tool_choice: { type: 'tool', name },
  messages: [
    { role: 'user', content: 'What is in a.txt?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'hello' }] },
  ],
})

const chat = (model: string, name: string): object => ({
  model,
  tools: [{ type: 'function', function: { name, parameters: { type: 'object' } } }],
  messages: [{ role: 'user', content: 'What is in a.txt?' }],
})

export const examples: Examples = {
  valid: [
    {
      name: 'letters, digits, underscores and dashes',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: asking('mcp__files-2__read'),
    },
    {
      name: 'a dot, which Azure accepts',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: chat('gpt-5.2', 'files.read'),
    },
    {
      name: 'a server with another model',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: chat('some-model', 'files/read'),
    },
  ],
  invalid: [
    {
      name: 'a dot, and a tool that has the name without it',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      options: { renameTools: true },
      messages: asking('files.read'),
      finds: ['tools'],
      after: asking('files_read_17E3zjdEW'),
    },
    {
      name: 'a slash in a chat',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      options: { renameTools: true },
      messages: chat('gpt-5.2', 'files/read'),
      finds: ['tools'],
      after: chat('gpt-5.2', 'files_read'),
    },
  ],
}

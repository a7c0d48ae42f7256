import type { Examples } from '../example.ts'

const tool = (name: string, description: string): object => ({
  name,
  description,
  input_schema: { type: 'object', properties: {} },
})
const request = (...tools: object[]): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools,
  messages: [{ role: 'user', content: 'Hello.' }],
})

export const examples: Examples = {
  valid: [
    {
      name: 'each name once',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(tool('read', 'Reads a file'), tool('write', 'Writes a file')),
    },
  ],
  invalid: [
    {
      name: 'the same tool from two servers',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(
        tool('read', 'Reads a file'),
        tool('write', 'Writes a file'),
        tool('read', 'Reads a file'),
        tool('read', 'Reads a page'),
      ),
      finds: ['tools', 'tools'],
      after: request(tool('read', 'Reads a file'), tool('write', 'Writes a file')),
    },
  ],
}

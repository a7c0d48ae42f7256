import type { ChatTool } from '../../../src/integrations/ai-sdk/index.ts'
import { type AgentOptions, agent } from '../../../src/journal/index.ts'
import type { ChatClient } from './client.ts'

/** An agent of a chat, with these tools. */
export function agentWith(client: ChatClient, url: string, tools: NonNullable<AgentOptions['tools']>): ChatTool {
  const model = client.models.openai(url)
  const declared = Object.fromEntries(Object.keys(tools).map(name => [name, client.tool()]))
  return { ...client.tool(), ...agent({ model: request => model({ ...request, tools: declared }), tools }) }
}

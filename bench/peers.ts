/** The peers, by their files in `peers/`. */
export const peers = [
  'ai',
  'deepagents',
  'mastra-message-list',
  'mastra-pair',
  'openai-agents',
  'pi-ai',
  'gemini-cli',
  'convex-agent',
]

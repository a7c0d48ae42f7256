/** What the conventions call the provider behind a dialect. Those that they do not know keep their own name. */
export const providerName = (dialect: string): string => (Object.hasOwn(names, dialect) ? names[dialect] : dialect)

const names: Record<string, string> = {
  'openai-responses': 'openai',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
  lenient: 'unknown',
}

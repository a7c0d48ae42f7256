/** The name of a dialect's provider in the OpenTelemetry conventions. Providers unknown there keep their own name. */
export const providerName = (dialect: string): string => names.get(dialect) ?? dialect

const names: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['gemini', 'gcp.gemini'],
  ['gemini-interactions', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['bedrock', 'aws.bedrock'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['xai', 'x_ai'],
  ['lenient', 'unknown'],
])

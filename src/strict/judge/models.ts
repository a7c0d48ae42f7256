/** Models by their names, as every host writes them: `claude-opus-4-6`, `us.anthropic.claude-opus-4-6-v1`, an ARN. */
export const models = {
  /** With a host's own model names the model is unknown. */
  claude: /claude/,
  /** Claude that thinks only if the request enables it: up to 4.5. Later models may think by themselves. */
  thinksOnDemand: /claude-(3[-.]7|(opus|sonnet|haiku)-4($|[-.@][0-5]))/,
  /** Claude that does not continue a prefilled assistant message: from 4.6 on. */
  withoutPrefill: /claude-((opus|sonnet|haiku)-(4[-.][6-9]|[5-9])|fable|mythos-\d)/,
  /** Claude without system messages in the conversation: everything before Opus 4.8, and the preview of Mythos. */
  withoutSystemRole: /claude-(instant|v?[1-3]\b|(sonnet|haiku)-4|opus-4($|@|-20|[-.][0-7]\b)|mythos-preview)/,
  /** Claude with a window of 200,000 tokens: everything up to 4.5, and Haiku. */
  windowOf200k: /claude-(instant|v?[1-3]\b|haiku|(opus|sonnet)-4($|@|-20|[-.][0-5]\b))/,
  /** On Bedrock: results and calls need separate turns. */
  llama: /\bmeta\.llama/,
  mistral: /\bmistral\./,
  /** On Bedrock: does not accept reasoning in the history. */
  deepseekR1: /\bdeepseek\.r1/,
  /** On Bedrock: a stored prompt, which has its own messages. */
  prompt: /:prompt\//,
  /** Calls of the current turn must be signed. Image models are exempt. */
  signed: /gemini-([3-9]|\d\d)(?!.*image)/,
} as const satisfies Record<string, RegExp>

/** Also false if the model is unknown. */
export const isModel = (pattern: RegExp, model: string | undefined): boolean =>
  model !== undefined && pattern.test(model)

/** Models by their names, as every host writes them: `claude-opus-4-6`, `us.anthropic.claude-opus-4-6-v1`, an ARN. */
export const models = {
  /** A host that gives them names of its own is taken at its word, and nothing is known of the model. */
  claude: /claude/,
  /** Claude thinks only if it is told to: everything up to 4.5. Later ones may think of themselves. */
  thinksOnDemand: /claude-(3[-.]7|(opus|sonnet|haiku)-4($|[-.@][0-5]))/,
  /** Claude that will not go on with words of its own: from 4.6 on. */
  withoutPrefill: /claude-((opus|sonnet|haiku)-(4[-.][6-9]|[5-9])|fable|mythos-\d)/,
  /** Claude without system messages in the conversation: everything before Opus 4.8, and the preview of Mythos. */
  withoutSystemRole: /claude-(instant|v?[1-3]\b|(sonnet|haiku)-4|opus-4($|@|-20|[-.][0-7]\b)|mythos-preview)/,
  /** Claude with a window of 200,000 tokens: everything up to 4.5, and Haiku. */
  windowOf200k: /claude-(instant|v?[1-3]\b|haiku|(opus|sonnet)-4($|@|-20|[-.][0-5]\b))/,
  /** On Bedrock: results and calls have a turn of their own. */
  llama: /\bmeta\.llama/,
  mistral: /\bmistral\./,
  /** On Bedrock: takes no reasoning back. */
  deepseekR1: /\bdeepseek\.r1/,
  /** On Bedrock: a stored prompt, which brings its own messages. */
  prompt: /:prompt\//,
  /** Calls of the current turn are signed. Those that make images are not held to it. */
  signed: /gemini-([3-9]|\d\d)(?!.*image)/,
} as const satisfies Record<string, RegExp>

/** False also if the model is not known. */
export const isModel = (pattern: RegExp, model: string | undefined): boolean =>
  model !== undefined && pattern.test(model)

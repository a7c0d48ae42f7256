import type { ProviderFact } from '../../facts/fact.ts'

const live = 'https://github.com/rizukirr/Freyja/blob/main/docs/reference/wire/gemini.md'

/** The order of turns is judged by the models, as at generateContent: see `ge-call-position` and the facts after it. */
export const facts: readonly ProviderFact[] = [
  {
    id: 'gi-turns',
    rule: 'The input is a list of steps. Turns with a role are the schema before May 2026.',
    words:
      '`When using the steps-based API version, use step_list input format instead of turn_list.` ; without a revision header: `The legacy Interactions API schema is no longer supported. …`',
    evidence: 'S',
    sources: [live, 'https://github.com/allenhutchison/gemini-cli-deep-research/issues/73'],
  },
  {
    id: 'gi-call-id',
    rule: 'A function_result names its call.',
    words: '`Missing call_id in content of type function_result`',
    evidence: 'S',
    sources: [live, 'https://github.com/google/adk-python/issues/4381'],
  },
  {
    id: 'gi-name',
    rule: 'A function_result names its function, although the types of the client leave that open.',
    words: '`Missing name in content of type function_result` ; elsewhere `Invalid input received`',
    evidence: 'S',
    sources: [live, 'https://github.com/robocurve/inspect-robots/issues/380'],
  },
  {
    id: 'gi-result',
    rule: 'The result is a text, an object or a list of contents.',
    words: "`'result' must be a Struct, FunctionResultSubcontent[], or string`",
    evidence: 'S',
    sources: [live],
  },
  {
    id: 'gi-unknown-field',
    rule: 'A function_result has no id, and a function_call no call_id.',
    words: "`Unknown parameter '{field}' at 'input[{N}]'.`",
    evidence: 'S',
    sources: [live, 'https://github.com/router-for-me/CLIProxyAPI/pull/5830'],
  },
  {
    id: 'gi-unsigned-thought',
    rule: 'A thought of the current turn is signed. Seen until June 2026, when the API itself returned unsigned thoughts.',
    words: '`Request contains an invalid argument.`',
    evidence: 'S',
    sources: ['https://github.com/googleapis/js-genai/issues/1735'],
  },
  {
    id: 'gi-signature',
    rule: 'Gemini 3+: a signed thought comes before the first function_call of each step of the current turn.',
    words: '`Request contains an invalid argument.`',
    evidence: 'S',
    sources: [live, 'https://github.com/allenhutchison/obsidian-gemini/pull/1269'],
  },
  {
    id: 'gi-empty',
    rule: 'What is said of empty contents, of repeated call ids and of arguments that are not an object was not seen.',
    evidence: 'I',
    sources: [],
  },
]

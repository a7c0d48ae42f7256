import type { RejectionEntry } from '../rejection.ts'

/** What no change of the history answers: it reaches the caller as it came. It is looked for first, since some of it speaks of what could be repaired. */
export const notHealable: readonly RejectionEntry[] = [
  {
    id: 'no-auth',
    kind: 'not-healable',
    provider: 'any',
    status: 401,
    words: /invalid x-api-key|Incorrect API key|invalid api[ _-]?key|API key not valid/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    id: 'no-credit',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /credit balance is too low|Insufficient Balance|insufficient_quota|exceeded your current quota|requires more credits/i,
    source: 'anthropics/claude-code#66314',
  },
  {
    id: 'no-rate',
    kind: 'not-healable',
    provider: 'any',
    status: 429,
    words:
      /rate[_ ]limit[_ ](error|exceeded|reached)|accounts rate limit|tokens per min(ute)? \(TPM\)|tokens per day \(TPD\)|ThrottlingException|Too many tokens, please wait|Too many requests|High concurrency usage|RESOURCE_EXHAUSTED|Resource (has been )?exhausted/i,
    source: 'anthropics/claude-code#5707',
  },
  {
    id: 'no-load',
    kind: 'not-healable',
    provider: 'any',
    status: 529,
    words: /overloaded_error|^Overloaded$|model is overloaded|The server had an error processing your request/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    id: 'no-moderation',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /content management policy|content_filter|Content Exists Risk|violating our usage policy|new_sensitive|data_inspection_failed|inappropriate content/i,
    source: 'compl-ai/compl-ai#20',
  },
  {
    id: 'no-account',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /User location is not supported|organization must be verified to (?!generate reasoning summaries)|does not exist or you do not have access to it|guardrail restrictions and data policy/i,
    source: 'google-gemini/gemini-cli#24641',
  },
  {
    id: 'no-tools',
    kind: 'not-healable',
    provider: 'openrouter, vllm',
    status: 404,
    words: /No endpoints found that support tool use|requires --enable-auto-tool-choice/,
    source: 'Kilo-Org/kilocode#9006',
  },
  {
    id: 'no-caller',
    kind: 'not-healable',
    provider: 'openai',
    status: 400,
    words:
      /(?<!max_(completion_|output_)?tokens( specified in the request is not valid)?: )(decimal|integer) (above maximum|below minimum) value[.,] [Ee]xpected a value/,
    source: 'https://platform.openai.com/docs/api-reference',
  },
]

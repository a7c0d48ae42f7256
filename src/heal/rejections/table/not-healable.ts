import type { RejectionEntry } from '../rejection.ts'

/** What no change of the history answers: it reaches the caller as it came. It is looked for first, since some of it speaks of what could be repaired. */
export const notHealable: readonly RejectionEntry[] = [
  {
    id: 'no-auth',
    kind: 'not-healable',
    provider: 'any',
    status: 401,
    words:
      /invalid x-api-key|Incorrect API key|invalid[ _-]?api[ _-]?key|API key (not (valid|found)|expired|was reported as leaked)|invalid authentication|request signature we calculated does not match|Invalid token \(request id|no auth available/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    id: 'no-credit',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /credit balance is too low|insufficient (account )?(balance|credits?|funds)|insufficient[_ ]quota|exceeded your current (token )?quota|requires more credits|billing hard limit|balance is (not enough|insufficient)|quota is not enough|quota exhausted|user quota|pre-consumed quota|(usage|spend|spending|key|request) limits? (exceeded|reached|for this period)|reached your [\w ]{1,40}usage limit|exceeded the [\w-]{1,20} usage quota|account (is )?overdue|free tier of the model|model requires a subscription|(daily|monthly|weekly|account|organization|subscription) (token|usage|request|quota) ?(limit|quota)?|Prompt tokens limit exceeded|long context beta is not yet available|余额不足|额度不足|额度失败|使用量上限/i,
    source: 'anthropics/claude-code#66314',
  },
  {
    id: 'no-rate',
    kind: 'not-healable',
    provider: 'any',
    status: 429,
    words:
      /rate[_ ]limit[_ ](error|exceeded|reached)|accounts rate limit|tokens per min(ute)? \(TPM\)|tokens per day \(TPD\)|ThrottlingException|Too many tokens, please wait|Too many requests|requests? per (minute|day|hour)|rate increased too quickly|concurrency limit|(Token|TPM|RPM)[ -]?(rate)? limit reached|limit_rpm|High concurrency usage|速率限制|并发请求|RESOURCE_EXHAUSTED|Resource (has been )?exhausted/i,
    source: 'anthropics/claude-code#5707',
  },
  {
    id: 'no-load',
    kind: 'not-healable',
    provider: 'any',
    status: 529,
    words:
      /overloaded_error|^Overloaded$|(model|server|servers|service|engine|system|cpu) (is|are|may be|cpu|disk)? ?(currently |temporarily )?overloaded|The server had an error processing your request|temporarily unavailable|experiencing high (demand|traffic)|System is too busy|No available (channel|accounts|keys)|负载|服务暂时不可用|访问量过大|无可用渠道/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    id: 'no-moderation',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /content management policy|content_filter|Content Exists Risk|violating our usage policy|new_sensitive|data_?inspection_?failed|inappropriate content|blocked by (our )?content filter|prohibited content|flagged (for|by|as)|violat(es|ing|ion of) (our |the |provider |openais )?(usage|content|terms|safety)|usage guidelines|sensitive_words|ResponsibleAIPolicyViolation|违规/i,
    source: 'compl-ai/compl-ai#20',
  },
  {
    id: 'no-account',
    kind: 'not-healable',
    provider: 'any',
    status: 400,
    words:
      /User location is not supported|organization must be verified to (?!generate reasoning summaries)|does not exist or you do not have access to it|(guardrail restrictions|matching your) (and )?data policy|model_not_found|Not found the model|is not a valid model|requested model is not supported|(account|project) (has been|is) (deactivated|suspended|disabled|denied access)|has no access to model|无权访问/i,
    source: 'google-gemini/gemini-cli#24641',
  },
  {
    id: 'no-tools',
    kind: 'not-healable',
    provider: 'openrouter, vllm',
    status: 404,
    words:
      /No endpoints found that support tool use|requires --enable-auto-tool-choice|does not support (tools|tool calling|tool use|function calling)\b|(tool calling|function call(ing)?) is not supported|doesnt support tool use|Tools are only supported on chat models/i,
    source: 'Kilo-Org/kilocode#9006',
  },
  {
    id: 'no-caller',
    kind: 'not-healable',
    provider: 'openai',
    status: 400,
    words:
      /(?<!max_(completion_|output_)?tokens( specified in the request is not valid)?: )(decimal|integer) (above maximum|below minimum) value[.,] [Ee]xpected a value|max_tokens must be greater than thinking\.budget_tokens|budget_tokens: Input should be greater than or equal to|missing required Copilot-Vision-Request header|Thinking may not be enabled when tool_choice forces tool use/,
    source: 'https://platform.openai.com/docs/api-reference',
  },
]

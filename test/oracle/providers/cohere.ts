import { refuse } from '../refusal.ts'
import { runs, unanswered } from '../runs.ts'
import type { Validator } from '../validator.ts'

/** Cohere, version 2 and Command A: results are required. */
export const cohere: Validator = chat =>
  runs(chat).flatMap(run =>
    run.opener && unanswered(run).length > 0 ? [refuse('co-missing', missingText, run.opener.at)] : [],
  )

const missingText =
  "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "

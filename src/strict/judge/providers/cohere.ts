import { refuse } from '../objection.ts'
import { runs, unanswered } from '../runs.ts'
import type { Validator } from '../validator.ts'

/** Cohere, version 2: results are required. The text ends before the ids. */
export const cohere: Validator = (chat, { model = '' }) =>
  lax.test(model)
    ? []
    : runs(chat).flatMap(run =>
        run.opener && unanswered(run).length > 0 ? [refuse('co-missing', missingText, run.opener.at)] : [],
      )

/** Command R and R+ do without. */
const lax = /command-r/i

const missingText =
  "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "

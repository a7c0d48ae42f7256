import type { HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import { runs, unanswered } from '../../judge/runs.ts'
import type { Validator } from '../../judge/validator.ts'

/** Cohere, version 2: results are required. */
export const validateCohere: Validator = (chat, { model = '' }) =>
  isLax(model) ? [] : runs(chat).flatMap(run => (run.opener && unanswered(run).length > 0 ? [missing(run.opener)] : []))

/** Command R and R+ do not require results. */
export const isLax = (model: string): boolean => /command-r/i.test(model)

/** The message ends before the ids. */
export const missing = ({ at }: HistoryEntry): RejectionReason => reject('co-missing', missingText, at)

const missingText =
  "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "

import type { Finish } from './reply.ts'

/** Maps the finish reasons of all providers, in any case and with hyphens or underscores. An unknown reason counts as a normal stop. */
export const finishOf = (reason: unknown): Finish => finishes.get(normalized(reason)) ?? 'stop'

/** Whether the model wrote a call that cannot be parsed: the reply is over, and its calls do not count. */
export const isMalformed = (reason: unknown): boolean => malformed.has(normalized(reason))

/** Whether a reply may have ended in the middle of a call. */
export const mayEndInCall = (finish: Finish): boolean => finish === 'length' || finish === 'refusal'

const normalized = (reason: unknown): string =>
  typeof reason === 'string' ? reason.toLowerCase().replaceAll('-', '_') : ''

const reasons: Readonly<Record<Exclude<Finish, 'stop'>, readonly string[]>> = {
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
  refusal: [
    ...['refusal', 'content_filter', 'content_filtered', 'guardrail_intervened', 'sensitive'],
    ...['safety', 'recitation', 'language', 'blocklist', 'prohibited_content', 'spii', 'model_armor'],
    ...['image_safety', 'image_prohibited_content', 'image_recitation'],
  ],
  pause: ['pause_turn', 'compaction'],
  cut: ['error', 'interrupted', 'cancelled', 'insufficient_system_resource', 'network_error'],
}

/* @__NO_SIDE_EFFECTS__ */
function byReason(): ReadonlyMap<string, Finish> {
  const finishes = Object.keys(reasons) as (keyof typeof reasons)[]
  return new Map(finishes.flatMap(finish => reasons[finish].map(reason => [reason, finish] as const)))
}

const finishes = byReason()

const malformed: ReadonlySet<string> = new Set([
  ...['malformed_function_call', 'unexpected_tool_call', 'too_many_tool_calls', 'missing_thought_signature'],
  ...['malformed_response', 'malformed_tool_use', 'malformed_model_output'],
])

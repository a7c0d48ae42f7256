import { describe, expect, test } from 'vitest'
import { isPlaceholder, placeholderTexts } from '../../src/core/placeholder.ts'
import { placeholdersOfOthers } from '../../src/core/placeholders-of-others.ts'

const isTold = (content: unknown): boolean =>
  isPlaceholder({ kind: 'result', id: 'call_1', content, callKind: 'function', by: 'client' })

/** As the systems write them, word for word. */
const told = [
  'Tool call did not complete — the previous turn was interrupted before a result was produced.',
  'Tool call was interrupted before a result was recorded.',
  '[Tool result missing due to internal error]',
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
  "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
  'aborted',
  'aborted by user after 12.3s',
  'Wall time: 12.3 seconds\naborted by user',
  '[Tool execution was interrupted]',
  '[Tool execution cancelled by user]',
  '[Tool execution cancelled — read_file was skipped due to user interrupt]',
  'Tool execution aborted',
  'A restart occurred while this tool was in progress. This may indicate a fatal memory error or system crash. The tool execution was interrupted and did not complete.',
  'A restart occurred while this tool was in progress. Its outcome is unknown because no result was saved. The tool will not be rerun automatically.',
  'Task was interrupted before this tool call could be completed.',
  'Tool [read_file] was not executed because a tool has already been used in this message. Only one tool may be used per message.',
  'Tool execution was interrupted before completion.',
  '[Operation Cancelled] Reason: User cancelled the operation.',
  'Command was cancelled by user before it could start.',
  'Web fetch was cancelled by user before it could start.',
  'Tool call bash with id call_1 was cancelled - another message came in before it could be completed.',
  'Tool call bash with id call_1 was cancelled — another message came in before it could be completed.',
  'Tool call bash with id call_1 could not be executed - arguments were malformed or truncated.',
  '[Tool call was interrupted and did not return a result.]',
  '[Tool call could not be executed because its arguments were invalid.]',
  'The tool call was interrupted before a result was produced.',
  'Tool not executed - a final result was already processed.',
  'Output tool not used - a final result was already processed.',
  "[System: Tool execution skipped/interrupted by user. No result provided for tool 'bash'.]",
  'Tool was interrupted.',
  'No result provided',
  'Skipped due to queued user message.',
  '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
  '[clawdbot] missing tool result in session history; inserted synthetic error result for transcript repair',
  'Tool canceled by user',
  'No tool output',
  'Tool execution canceled by user',
  '[Result unavailable — see context summary above]',
  '[Tool result unavailable — call was interrupted or lost]',
  '[operation interrupted by user]',
  'cancelled - another message came in before it could be completed',
  'interrupted - tool was not executed before recovery; safe to retry',
  'interrupted - tool status unknown; do not retry automatically',
  '{"status":"interrupted","note":"The previous tool call was interrupted before completing. Try it again."}',
  'Tool execution skipped - user provided follow-up message',
  '[Berry SDK] Session repair: tool execution was interrupted. The result is lost.',
  'Interrupted',
  'Tool execution was interrupted before it completed because the run was stopped. No output was produced.',
  'Tool execution was interrupted by process restart; outcome is unknown. Check before you run it again.',
  'Error: The tool execution was interrupted or failed to return a result. You may need to retry this operation.',
  'Previous tool call was interrupted before a result was recorded. The effect (if any) is unknown; look first.',
  '[Aborted: tool execution was interrupted]',
  '[Auto-Healed] Tool call failed or was cancelled.',
  '[tool result unavailable]',
  '<tool result unavailable — not recorded>',
  'Tool result unavailable: the session was restored.',
  '[No tool response available from history]',
  '[interrupted] Task was interrupted before this tool call could execute.',
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]",
  "[Tool call result not in this copy: this session was copied from another session before that session recorded this call's result.]",
  'The tool call was interrupted before a result was received. It may or may not have completed on the server — verify before assuming it succeeded, and retry if needed.',
  'The turn ended on an error, so this tool call was cancelled. If it had already started, some of its effects may have happened. Error: overloaded',
  'A safety monitor blocked this turn, so this tool call was cancelled. If it had already started, some of its effects may have happened.',
  'The execution of this tool, or a previous tool was interrupted.',
  'This tool call was not executed because your response contained code that matches public code.',
  'result missing',
  '[Tool result missing]',
  'Tool execution was interrupted before a result was produced.',
  'Tool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.',
  'tool call was interrupted and did not produce a result, you may retry this call if the result is still needed',
  'Tool call interrupted or cancelled',
  'Interrupted by the user to make a correction',
  '<tool_use_error>Cancelled: parallel tool call Bash(npm test) errored</tool_use_error>',
  '<tool_use_error>Sibling tool call errored</tool_use_error>',
  "This tool call was cancelled by the user. You should clarify next steps, as they don't wish for you to use this tool.",
  'Tool call was interrupted by user',
  'Tool call was interrupted.',
  '{"error":"tool call was interrupted"}',
  '{ "error": "Tool execution aborted by the user." }',
  'The tool call was cancelled by the user.',
  'Error: tool execution cancelled',
  '[Tool use interrupted by user]',
  '<tool_use_error>Tool use was aborted</tool_use_error>',
  'Tool call has been cancelled',
]

/** What tools really say, and what the user answered. */
const real = [
  '',
  ' ',
  'TP 1351, 89 EUR',
  'aborted: 3 of 12 tests',
  'Build aborted',
  'The merge was aborted by user after 12.3s',
  'aborted by user choice in the form, see line 12',
  'interrupted system call (EINTR) in read(2)',
  'No tool output is hidden by this flag.',
  'No result provided by the search index, 0 hits',
  'Tool was interrupted. It printed: 12 passed',
  'Tool execution aborted with exit code 134: core dumped',
  'grep: [Tool execution was interrupted] stands in message-v2.ts:12',
  'log: A restart occurred while this tool was in progress.',
  'Command was cancelled by user before it could start. Output of the retry: ok',
  '{"status":"interrupted","rows":12}',
  '{"status":"done","note":"The previous tool call was interrupted before completing."}',
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
  'The user has declined to run this tool. DO NOT attempt to call this tool again.',
  'The user denied this operation.',
  '{"status":"denied","message":"The user denied this operation."}',
  'Tool execution was not approved.',
  'Tool call was not approved by the user',
  'The tool call is rejected by the user.',
  'User denied permission',
  '<Tool returned an empty string>',
  '(no output)',
  'Tool execution was interrupted before completion. Partial output:\n12 passed',
  'Tool call was cancelled before the limit: 12 rows were written',
  'result missing: 3 of 12 rows',
  'The tool call was interrupted by a signal',
  'Tool call history: 3 entries',
  'The execution of this tool, or a previous tool was interrupted. It printed 12 passed',
  'Tool result unavailable: index 7 out of range',
  'Tool result unavailable: the session 17 has 3 rows',
  'This tool call was not executed because the account is locked: balance 12 EUR',
  'This tool call was not executed because your response was: 12 EUR',
  '[Request interrupted by user] after 12 of 40 rows',
  '[Tool execution was interrupted] after 12 of 40 rows: see log',
  '[Tool execution cancelled - see log: 12 rows]',
  '[Operation Cancelled] Reason: timeout. Output: 12 rows',
  'A restart occurred while this tool was in progress. Output: 12 rows',
  'Error: The tool execution was interrupted or failed to return a result. Output: 12 rows',
  'Tool call was interrupted by user 12, balance 89 EUR',
  '{"error":"tool call was interrupted","rows":12}',
]

describe('[R2] a placeholder is distinguished from a real result', () => {
  test.each(Object.values(placeholderTexts))('ours: %s', text => expect(isTold(text)).toBe(true))

  test.each(told)('of another system: %s', text => {
    expect(isTold(text)).toBe(true)
    expect(isTold(`\n${text}\n`)).toBe(true)
    expect(isTold([{ type: 'text', text }])).toBe(true)
  })

  test.each(real)('real: %s', text => expect(isTold(text)).toBe(false))

  test.each(told)('text around it makes it a real result: %s', text => {
    expect(isTold(`README.md:12: ${text}`)).toBe(false)
  })

  test('content that is not text', () => {
    for (const content of [undefined, null, 7, {}, [], [null], [{ type: 'image' }]]) expect(isTold(content)).toBe(false)
  })

  test('every pattern is anchored and has a text here', () => {
    for (const pattern of placeholdersOfOthers) {
      expect(pattern.source).toMatch(/^\^/)
      expect(
        told.some(text => pattern.test(text.replaceAll('—', '-'))),
        `no text for ${pattern}`,
      ).toBe(true)
    }
  })
})

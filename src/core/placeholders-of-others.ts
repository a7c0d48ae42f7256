/** A text that another system writes where a call has no result. */
export interface PlaceholderOfOthers {
  readonly system: string
  /** Stands at the beginning; matches the whole text where the words could also begin a real result. */
  readonly pattern: RegExp
}

/**
 * What other systems say of a call that may have run and told nothing, or that never ran. That the user denied a call is
 * an answer, and does not count. Dashes of every length are plain ones here.
 */
export const placeholdersOfOthers: readonly PlaceholderOfOthers[] = [
  { system: 'Claude Code', pattern: /^\[Tool result missing due to internal error\]$/i },
  { system: 'Claude Code', pattern: /^\[Request interrupted by user( for tool use)?\]/i },
  {
    system: 'Claude Code',
    pattern:
      /^The user doesn.t want to take this action right now\. STOP what you are doing and wait for the user to tell you how to proceed\.$/i,
  },
  { system: 'Codex', pattern: /^aborted$/i },
  { system: 'Codex', pattern: /^(Wall time: [\d.]+ seconds\s+)?aborted by user( after [\d.]+s)?$/i },
  { system: 'opencode', pattern: /^\[Tool execution (was )?(cancell?ed|interrupted|aborted)\b/i },
  { system: 'opencode', pattern: /^Tool execution aborted\.?$/i },
  { system: 'OpenHands', pattern: /^A restart occurred while this tool was in progress\./i },
  {
    system: 'Instatic',
    pattern: /^Tool call did not complete - the previous turn was interrupted before a result was produced\.?$/i,
  },
  { system: 'madz', pattern: /^Tool call was interrupted before a result was recorded\.?$/i },
  { system: 'Cline', pattern: /^Task was interrupted before this tool call could be completed\.?$/i },
  {
    system: 'Cline',
    pattern: /^Tool \[.{1,200}\] was not executed because a tool has already been used in this message\./i,
  },
  { system: 'Roo Code', pattern: /^Tool execution was interrupted before completion\.?$/i },
  { system: 'gemini-cli', pattern: /^\[Operation Cancelled\] Reason: /i },
  { system: 'gemini-cli', pattern: /^(Command|Web fetch) was cancell?ed by user before it could start\.?$/i },
  { system: 'deepagents', pattern: /^Tool call .{1,300} (was )?cancell?ed - another message came in/i },
  {
    system: 'deepagents',
    pattern: /^Tool call .{1,300} could not be executed - arguments were malformed or truncated/i,
  },
  { system: 'LangGraph', pattern: /^\[Tool call was interrupted and did not return a result\.\]$/i },
  { system: 'LangGraph', pattern: /^\[Tool call could not be executed because its arguments were invalid\.\]$/i },
  { system: 'pydantic-ai', pattern: /^The tool call was interrupted before a result was produced\.?$/i },
  {
    system: 'pydantic-ai',
    pattern: /^(Tool not executed|Output tool not used) - a final result was already processed\.?$/i,
  },
  {
    system: 'litellm',
    pattern: /^\[System: Tool execution skipped\/interrupted by user\. No result provided for tool '.{0,200}'\.\]$/i,
  },
  { system: 'Strands', pattern: /^Tool was interrupted\.?$/i },
  { system: 'pi', pattern: /^No result provided\.?$/i },
  { system: 'pi', pattern: /^Skipped due to queued user message\.?$/i },
  { system: 'OpenClaw', pattern: /^\[\w{1,40}\] missing tool result in session history\b/i },
  { system: 'Zed', pattern: /^Tool cancell?ed by user\.?$/i },
  { system: 'Continue', pattern: /^No tool output\.?$/i },
  { system: 'Crush', pattern: /^Tool execution cancell?ed by user\.?$/i },
  { system: 'hermes-agent', pattern: /^\[Result unavailable - see context summary above\]$/i },
  { system: 'nanobot', pattern: /^\[Tool result unavailable - call was interrupted or lost\]$/i },
  { system: 'CLIProxyAPI', pattern: /^\[operation interrupted by user\]$/i },
  { system: 'everruns', pattern: /^cancell?ed - another message came in before it could be completed\.?$/i },
  { system: 'everruns', pattern: /^interrupted - .{1,200}; (safe to retry|do not retry automatically)\.?$/i },
  {
    system: 'Agent Framework',
    pattern: /^Tool execution skipped - user provided follow-up message\.?$/i,
  },
  { system: 'Berry SDK', pattern: /^\[Berry SDK\] Session repair: tool execution was interrupted\./i },
  {
    system: 'not known',
    pattern: /^\{\s*"status":\s*"interrupted",\s*"note":\s*"The previous tool call was interrupted before/i,
  },
  { system: 'not known', pattern: /^\[?interrupted\]?\.?$/i },
  {
    system: 'not known',
    pattern:
      /^Tool execution was interrupted before it completed because the run was stopped\. No output was produced\.?$/i,
  },
  { system: 'not known', pattern: /^Tool execution was interrupted by process restart; outcome is unknown\./i },
  { system: 'not known', pattern: /^Error: The tool execution was interrupted or failed to return a result\./i },
  { system: 'not known', pattern: /^Previous tool call was interrupted before a result was recorded\./i },
  { system: 'not known', pattern: /^\[Aborted: tool execution was interrupted\]$/i },
  { system: 'not known', pattern: /^\[Auto-Healed\] Tool call failed or was cancell?ed\.?$/i },
  { system: 'not known', pattern: /^(\[tool result unavailable\]|<tool result unavailable - not recorded>)$/i },
  { system: 'not known', pattern: /^Tool result unavailable: /i },
  { system: 'not known', pattern: /^\[No tool response available from history\]$/i },
  { system: 'not known', pattern: /^\[interrupted\] Task was interrupted before this tool call could execute\.?$/i },
]

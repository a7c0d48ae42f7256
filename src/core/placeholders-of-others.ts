/**
 * What other programs write where a call may have run without a recorded result, or never ran. A denial by the user is
 * a real answer and does not count. All kinds of dashes are normalised to `-` before the match. A pattern matches from
 * the beginning, and the whole text where the text could also begin a real result.
 */
export const placeholdersOfOthers: readonly RegExp[] = [
  // Many programs (Claude Code, Cline, Crush, Kimi, Roo Code, pydantic-ai and others): interrupted before a result.
  /^\[?(The |This |Previous )?tool (call|execution|use) (was )?(interrupted|aborted|cancell?ed) (before|and did not|or (interrupted|cancell?ed)\b)[^:\n]{0,400}$/i,
  // The same without a reason, or with the user as the reason (opencode, Crush, DeerFlow and others): bare, in brackets, or as an error.
  /^(\{\s*"error":\s*"|<tool_use_error>|\[)?(Error: )?(The |This |Previous )?tool (call|execution|use) (was |has been )?(interrupted|aborted|cancell?ed)( by (the )?user)?\.?("\s*\}|<\/tool_use_error>|\])?$/i,
  // Claude Code
  /^\[Tool result missing due to internal error\]$/i,
  /^\[Tool call (interrupted|result not in this copy): /i,
  /^[^:\n]{1,80}, so this tool call was cancell?ed\. If it had already started, some of its effects may have happened\./i,
  /^\[Request interrupted by user( for tool use)?\]$/i,
  /^<tool_use_error>(Cancelled: parallel tool call [\s\S]{1,500} errored|Sibling tool call errored)<\/tool_use_error>$/i,
  /^The user doesn.t want to take this action right now\. STOP what you are doing and wait for the user to tell you how to proceed\.$/i,
  // Codex
  /^aborted$/i,
  /^(Wall time: [\d.]+ seconds\s+)?aborted by user( after [\d.]+s)?$/i,
  // Goose
  /^Interrupted by the user to make a correction\.?$/i,
  // hermes-agent
  /^\[Tool execution cancell?ed - [^:\n]{0,400}\]$/i,
  // OpenHands
  /^A restart occurred while this tool was in progress\.[^:\n]{0,400}$/i,
  // Instatic
  /^Tool call did not complete - the previous turn was interrupted before a result was produced\.?$/i,
  // Cline
  /^Task was interrupted before this tool call could be completed\.?$/i,
  /^Tool \[.{0,400}\] was not executed because a tool has already been used in this message\.[^:\n]{0,400}$/i,
  /^\[?(tool )?result missing\]?\.?$/i,
  // Copilot CLI
  /^The execution of this tool, or a previous tool,? was interrupted\.?$/i,
  /^This tool call was not executed because your response [^:\n]{0,400}$/i,
  // gemini-cli
  /^\[Operation Cancelled\] Reason: [^:\n]{0,400}$/i,
  /^(Command|Web fetch) was cancell?ed by user before it could start\.?$/i,
  // deepagents
  /^Tool call .{0,400} (was )?cancell?ed - another message came in[^:\n]{0,400}$/i,
  /^Tool call .{0,400} could not be executed - arguments were malformed or truncated[^:\n]{0,400}$/i,
  // LangGraph
  /^\[Tool call was interrupted and did not return a result\.\]$/i,
  /^\[Tool call could not be executed because its arguments were invalid\.\]$/i,
  // pydantic-ai
  /^(Tool not executed|Output tool not used) - a final result was already processed\.?$/i,
  // litellm
  /^\[System: Tool execution skipped\/interrupted by user\. No result provided for tool '.{0,400}'\.\]$/i,
  // Strands
  /^Tool was interrupted\.?$/i,
  // pi
  /^No result provided\.?$/i,
  /^Skipped due to queued user message\.?$/i,
  // OpenClaw
  /^\[\w{1,40}\] missing tool result in session history\b[^:\n]{0,400}$/i,
  // Zed
  /^Tool cancell?ed by user\.?$/i,
  // Continue
  /^This tool call was cancell?ed by the user\. You should clarify next steps, [^:\n]{0,400}$/i,
  /^No tool output\.?$/i,
  /^\[Result unavailable - see context summary above\]$/i,
  // nanobot
  /^\[Tool result unavailable - call was interrupted or lost\]$/i,
  // CLIProxyAPI
  /^\[operation interrupted by user\]$/i,
  // everruns
  /^cancell?ed - another message came in before it could be completed\.?$/i,
  /^interrupted - .{0,400}; (safe to retry|do not retry automatically)\.?$/i,
  // Agent Framework
  /^Tool execution skipped - user provided follow-up message\.?$/i,
  // Berry SDK
  /^\[Berry SDK\] Session repair: tool execution was interrupted\.[^:\n]{0,400}$/i,
  // Of unknown origin
  /^\{\s*"status":\s*"interrupted",\s*"note":\s*"The previous tool call was interrupted before/i,
  /^\[?interrupted\]?\.?$/i,
  /^Tool execution was interrupted by process restart; outcome is unknown\.[^:\n]{0,400}$/i,
  /^Error: The tool execution was interrupted or failed to return a result\.[^:\n]{0,400}$/i,
  /^\[Aborted: tool execution was interrupted\]$/i,
  /^\[Auto-Healed\] Tool call failed or was cancell?ed\.?$/i,
  /^(\[tool result unavailable\]|<tool result unavailable - not recorded>)$/i,
  /^Tool result unavailable: (the |this )?(session|turn|run|process|stream|history) [^:\n\d]{1,200}$/i,
  /^\[No tool response available from history\]$/i,
  /^\[interrupted\] Task was interrupted before this tool call could execute\.?$/i,
]

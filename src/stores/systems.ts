import { agentFramework } from './agent-framework/index.ts'
import { aiSdkChat } from './ai-sdk-chat/index.ts'
import { claudeCode } from './claude-code/index.ts'
import { codex } from './codex/index.ts'
import { instatic } from './instatic/index.ts'
import { langgraph } from './langgraph/index.ts'
import { madz } from './madz/index.ts'
import { openaiAgentsSqlite } from './openai-agents-sqlite/index.ts'
import { opencode } from './opencode/index.ts'
import { openhands } from './openhands/index.ts'
import { plain } from './plain/index.ts'
import type { System } from './system.ts'

/** Every system that the doctor knows. The first that recognises a path has it, so those that take anything come last. */
export const systems: readonly System[] = [
  codex,
  claudeCode,
  openhands,
  opencode,
  instatic,
  langgraph,
  openaiAgentsSqlite,
  agentFramework,
  madz,
  aiSdkChat,
  plain,
]

import type { System } from './system.ts'
import { agentFramework } from './systems/agent-framework/index.ts'
import { aiSdkChat } from './systems/ai-sdk-chat/index.ts'
import { claudeCode } from './systems/claude-code/index.ts'
import { cline } from './systems/cline/index.ts'
import { clineSessions } from './systems/cline-sessions/index.ts'
import { codex } from './systems/codex/index.ts'
import { copilotCli } from './systems/copilot-cli/index.ts'
import { crush } from './systems/crush/index.ts'
import { geminiCli } from './systems/gemini-cli/index.ts'
import { googleAdk } from './systems/google-adk/index.ts'
import { goose } from './systems/goose/index.ts'
import { hermes } from './systems/hermes/index.ts'
import { instatic } from './systems/instatic/index.ts'
import { kimiCli } from './systems/kimi-cli/index.ts'
import { kimiCode } from './systems/kimi-code/index.ts'
import { langgraph } from './systems/langgraph/index.ts'
import { madz } from './systems/madz/index.ts'
import { openWebui } from './systems/open-webui/index.ts'
import { openaiAgentsSqlite } from './systems/openai-agents-sqlite/index.ts'
import { openclaw } from './systems/openclaw/index.ts'
import { openclawSqlite } from './systems/openclaw-sqlite/index.ts'
import { opencode } from './systems/opencode/index.ts'
import { openhands } from './systems/openhands/index.ts'
import { pi } from './systems/pi/index.ts'
import { plainFiles } from './systems/plain/index.ts'
import { qwenCode } from './systems/qwen-code/index.ts'
import { strands } from './systems/strands/index.ts'
import { zed } from './systems/zed/index.ts'

/** All systems of the doctor. The first that recognises a path gets it, so the most general ones come last. */
export const systems: readonly System[] = [
  codex,
  qwenCode,
  geminiCli,
  claudeCode,
  openhands,
  hermes,
  googleAdk,
  strands,
  opencode,
  openclaw,
  openclawSqlite,
  pi,
  copilotCli,
  kimiCli,
  kimiCode,
  cline,
  clineSessions,
  instatic,
  goose,
  crush,
  zed,
  openWebui,
  langgraph,
  openaiAgentsSqlite,
  agentFramework,
  madz,
  aiSdkChat,
  plainFiles,
]

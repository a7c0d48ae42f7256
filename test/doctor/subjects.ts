import type { Subject } from './contract.ts'
import { subject as agentFramework } from './systems/agent-framework/subject.ts'
import { subject as aiSdkChat } from './systems/ai-sdk-chat/subject.ts'
import { subject as claudeCode } from './systems/claude-code/subject.ts'
import { subject as cline } from './systems/cline/subject.ts'
import { subject as clineSessions } from './systems/cline-sessions/subject.ts'
import { subject as codex } from './systems/codex/subject.ts'
import { subject as copilotCli } from './systems/copilot-cli/subject.ts'
import { subject as crush } from './systems/crush/subject.ts'
import { savedChats } from './systems/gemini-cli/checkpoint-subject.ts'
import { subject as geminiCli } from './systems/gemini-cli/subject.ts'
import { subject as googleAdk } from './systems/google-adk/subject.ts'
import { subject as goose } from './systems/goose/subject.ts'
import { subject as hermes } from './systems/hermes/subject.ts'
import { subject as instatic } from './systems/instatic/subject.ts'
import { subject as kimiCli } from './systems/kimi-cli/subject.ts'
import { subject as kimiCode } from './systems/kimi-code/subject.ts'
import { subject as langgraphPython } from './systems/langgraph/python/subject.ts'
import { subject as langgraph } from './systems/langgraph/subject.ts'
import { subject as madz } from './systems/madz/subject.ts'
import { subject as openaiAgentsSqlite } from './systems/openai-agents-sqlite/subject.ts'
import { subject as openclaw } from './systems/openclaw/subject.ts'
import { subject as openclawSqlite } from './systems/openclaw-sqlite/subject.ts'
import { inDatabase, inFiles } from './systems/opencode/subject.ts'
import { subject as openhands } from './systems/openhands/subject.ts'
import { subject as pi } from './systems/pi/subject.ts'
import { subject as plain } from './systems/plain/subject.ts'
import { subject as qwenCode } from './systems/qwen-code/subject.ts'
import { subject as strands } from './systems/strands/subject.ts'
import { subject as zed } from './systems/zed/subject.ts'

/** Every system that the doctor knows, in each form of its store. */
export const subjects: readonly Subject[] = [
  ...[codex, claudeCode, openhands, inFiles, inDatabase, instatic, langgraph, langgraphPython, openaiAgentsSqlite],
  ...[
    pi,
    openclaw,
    qwenCode,
    copilotCli,
    kimiCli,
    kimiCode,
    cline,
    clineSessions,
    geminiCli,
    savedChats,
    goose,
    crush,
    strands,
    hermes,
  ],
  ...[openclawSqlite, googleAdk, zed],
  ...[agentFramework, madz, aiSdkChat, plain],
]

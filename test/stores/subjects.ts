import { subject as agentFramework } from './agent-framework/subject.ts'
import { subject as aiSdkChat } from './ai-sdk-chat/subject.ts'
import { subject as claudeCode } from './claude-code/subject.ts'
import { subject as codex } from './codex/subject.ts'
import type { Subject } from './contract.ts'
import { subject as instatic } from './instatic/subject.ts'
import { subject as langgraph } from './langgraph/subject.ts'
import { subject as madz } from './madz/subject.ts'
import { subject as openaiAgentsSqlite } from './openai-agents-sqlite/subject.ts'
import { inDatabase, inFiles } from './opencode/subject.ts'
import { subject as openhands } from './openhands/subject.ts'
import { subject as plain } from './plain/subject.ts'

/** Every system that the doctor knows, in each form of its store. */
export const subjects: readonly Subject[] = [
  ...[codex, claudeCode, openhands, inFiles, inDatabase, instatic, langgraph, openaiAgentsSqlite],
  ...[agentFramework, madz, aiSdkChat, plain],
]

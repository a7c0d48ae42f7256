export type {
  ReplyContent,
  ReplyFunction,
  ReplyScript,
  ScriptedCall,
  ScriptedReply,
  StopReason,
} from './answers/script.ts'
export { callEachTool } from './answers/script.ts'
export type { ScriptInput, ScriptToolResult } from './answers/script-input.ts'
export { type ListedFact, listFacts } from './facts/listing.ts'
export type { FailureMode } from './modes.ts'
export type {
  Api,
  ChatHabits,
  FailureKind,
  Provider,
  ProviderFailure,
  ProviderRejection,
  StrictRequest,
} from './provider.ts'
export { findProvider, providers } from './providers/index.ts'
export type { ReceivedRequest } from './server/incoming.ts'
export { type Strict, type StrictOptions, startStrict } from './server/server.ts'
export type { ServerState } from './server/state.ts'

export { AntiphonError, type ErrorCode } from '../core/errors.ts'
export type { TelemetryApi, TelemetryTracer } from '../observe/telemetry/api.ts'
export type { TelemetryOptions } from '../observe/telemetry/telemetry-options.ts'
export type { ModelChoice, ModelFunction, ModelOptions, ModelRequest } from './ask-models.ts'
export type {
  EditOptions,
  ForkOptions,
  RegenerateOptions,
  SwitchOptions,
  ThreadBranch,
} from './branches/thread-branch.ts'
export type { CallHandle } from './call.ts'
export type { ApprovalResult, ApproveOptions } from './calls/approval.ts'
export type { OpenCall, OpenCallsOptions } from './calls/open-calls.ts'
export type { Settlement } from './calls/settle-call.ts'
export type { SchemaIssue, SchemaResult, ToolSchema } from './calls/tool-schema.ts'
export type { Clock } from './clock.ts'
export type { Compaction, CompactOptions } from './compaction/compact-thread.ts'
export type { RunCompaction, SummaryRequest } from './compaction/run-compaction.ts'
export type { Entry, EntryData, ErrorData, Outcome, TurnStatus } from './entry.ts'
export type { ExpireOptions } from './erasure/expire-threads.ts'
export type { Receipt } from './input/keyed-input.ts'
export type { Journal } from './journal.ts'
export type { LiveDelta, LiveItem, LiveRetract } from './live/live-reader.ts'
export type { LiveOption } from './live/open-transport.ts'
export type { LiveTransport, TransportEvents } from './live/transport.ts'
export { LocalBus } from './live/transports/local.ts'
export type { MetadataChange } from './metadata/describe-thread.ts'
export type { StoredMetadata, ThreadMetadata } from './metadata/stored-metadata.ts'
export { type JournalOptions, openJournal } from './open-journal.ts'
export type { RecordOptions } from './receive.ts'
export {
  type Run,
  type RunOptions,
  type RunResult,
  run,
} from './run.ts'
export type { RunEvent } from './run-event.ts'
export type { Seal, SealedThread, SealKeys } from './seal/seal-keys.ts'
export { MemoryStore } from './stores/memory.ts'
export { type JournalLocation, rebalance } from './stores/open-store.ts'
export type { Queryable } from './stores/postgres/connect.ts'
export type { ThreadStatus, ThreadsOptions } from './stores/read-all.ts'
export type { ShardList } from './stores/shards/open-shards.ts'
export type { Rebalanced, RebalanceOptions } from './stores/shards/rebalance.ts'
export type { EraseOptions, Erasure, Store, ThreadOrder, ThreadRow, Write, WriteResult } from './stores/store.ts'
export type { Thread } from './thread.ts'
export type {
  MessagesOptions,
  SubmitOptions,
  ThreadOptions,
  ThreadSummary,
  TurnOptions,
} from './thread-options.ts'
export {
  type AgentLimits,
  type AgentOptions,
  agent,
  type ProbeAnswer,
  type Tool,
  type Tools,
  type TypedTool,
  tool,
} from './tool.ts'
export type { PerformOptions, ToolContext } from './tool-run.ts'
export type { TurnTrace } from './tracing/turn-trace.ts'
export type { Turn } from './turn.ts'
export type { LiveWatchOptions, WatchOptions } from './watch.ts'
export type { Worker, WorkOptions } from './worker.ts'

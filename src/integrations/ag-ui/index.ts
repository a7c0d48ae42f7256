export { agUiHandler } from './ag-ui-handler.ts'
export type { AgUiModelRequest, AgUiOptions, AgUiRepair, AgUiReport, AgUiRun, AgUiTool } from './handler-options.ts'
export { type AgUiMiddleware, type HealAgUiOptions, healAgUiMessages, healAgUiRuns } from './heal-messages.ts'

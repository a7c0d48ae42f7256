export { type AgUiMiddleware, type HealAgUiOptions, healAgUiMessages, healAgUiRuns } from '../heal-messages.ts'

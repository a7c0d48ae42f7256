export { type HealProcessor, type HealProcessorOptions, healProcessor, type MastraReport } from './heal-processor.ts'

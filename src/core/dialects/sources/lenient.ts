import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = []

import type { Format } from '../judge.ts'

/** A history that breaks one fact, and the same history repaired. */
export type Case = {
  fact: string
  name?: string
  pedantic?: true
  refused: unknown[]
  accepted: unknown[]
}

export type Suite = { dialect: string; format: Format; cases: Case[] }

import type { ThreadOptions } from '../../src/journal/index.ts'

/** Each has a journal of its own: a worker is told who reads all of its threads. */
export const dialects = ['openai', 'anthropic'] as const

export type Dialect = (typeof dialects)[number]

export const schemaOf = (dialect: Dialect): string => `soak_${dialect}`

/** One of the two journals is sealed, and every process has its key. */
export const sealOf = (dialect: Dialect): { seal?: Uint8Array } =>
  dialect === 'anthropic' ? { seal: new Uint8Array(32).fill(7) } : {}

/** Workers ask a model of the journal's provider, then one of the other provider, and so on. The two journals differ in what becomes of an answer that breaks off. */
export const fallbacks = {
  openai: { onCut: 'retry', attempts: 3 },
  anthropic: { onCut: 'continue', attempts: 3 },
  agent: { onCut: 'fail', attempts: 2 },
} as const

/** Threads without a change for so long are erased, unless they have the label. */
export const expiry = { idleMs: 15_000, keepLabel: 'kept' } as const

/** A lease that ends soon: others go on with what a killed worker has left. */
export const threadOptions = (dialect: Dialect) =>
  ({ for: dialect, leaseMs: 2_000, graceMs: 500 }) satisfies ThreadOptions

/** What every process is started with. */
export interface Setting {
  readonly seed: number
  /** The connection string of the journals. */
  readonly journal: string
  /** The strict providers, and the proxy in front of them. */
  readonly provider: string
  readonly proxy: string
  /** The file that tools write their effects to. */
  readonly ledger: string
}

/** The ways through the proxy: requests that a journal has drawn, and those of anybody. */
export const routes = { agents: 'agents', plain: 'plain' } as const

/** How the clients of the AG-UI server are told of their own tool. */
export const clientTool = 'browse'

const ordinaryTools = ['look', 'charge', 'transfer', 'slow', 'fail', 'pay', 'ask', clientTool] as const

/** The tools that are agents, and what they are told to do. The second one is also called by the first, and waits for an approval. */
export const errands = { research: 'Do look, then booking.', booking: 'Do transfer+pay.' } as const

export type AgentName = keyof typeof errands

export const isAgentName = (name: string): name is AgentName => Object.hasOwn(errands, name)

export type ToolName = (typeof ordinaryTools)[number]

export const toolNames: readonly (ToolName | AgentName)[] = [...ordinaryTools, 'research', 'booking']

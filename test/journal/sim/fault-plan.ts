/** What the ways to the store and the clocks are like. */
export interface FaultPlan {
  /** How long a request or an answer travels: one of these. */
  readonly travelMs: readonly number[]
  /** How often one of them is lost. */
  readonly lossRate: number
  /** How far a clock may be off. */
  readonly skewMs: number
  /** How far the clock of the machine is set ahead and back, again and again. */
  readonly setMs: number
}

const fair = { travelMs: [0, 0, 0, 0, 0, 1, 1, 3, 3, 20, 20, 80, 400], lossRate: 0, skewMs: 0, setMs: 0 }

export const faultPlans: readonly FaultPlan[] = [
  fair,
  fair,
  // On ways as short as these nobody has an excuse.
  { ...fair, travelMs: [0, 0, 0, 0, 0, 0, 0, 1] },
  { ...fair, travelMs: [0, 0, 0, 1] },
  // Some answers come when the lease is over.
  { ...fair, travelMs: [...fair.travelMs, ...fair.travelMs, ...fair.travelMs, 4_000] },
  { ...fair, lossRate: 0.02 },
  { ...fair, skewMs: 1_500 },
  { ...fair, setMs: 3_600_000 },
]

import { figure } from './table.ts'

/** The cells of a figure with its target: itself, the target, and whether it is met. */
export const atMost = (ratio: number, most: number, aim = ''): string[] => [
  figure(ratio),
  `<= ${most.toFixed(2)}${aim}`,
  ratio <= most ? 'met' : 'missed',
]

export const atLeast = (ratio: number, least: number): string[] => [
  figure(ratio),
  `>= ${least.toFixed(2)}`,
  ratio >= least ? 'met' : 'missed',
]

/** The same for a figure without one. */
export const untargeted = (ratio: number): string[] => [figure(ratio), '', '']

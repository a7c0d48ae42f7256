import type { Measured } from '../parts.ts'
import { figure, table } from '../table.ts'
import { judge, noiseMax, type Target } from '../targets.ts'

/** One figure of both commits, once for each run. */
export interface Compared {
  readonly label: string
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** What is asked of it, with the median of the working tree as its ratio. */
  readonly target?: Target
  readonly isNoisy: boolean
}

/** Brings together what the runs of a part measured. */
export function compareRuns(before: readonly Measured[], after: readonly Measured[]): Compared[] {
  const [old, current] = [before, after].map(runs => runs.map(figuresOf))
  const labels = new Set([...current, ...old].flatMap(run => [...run.keys()]))
  return [...labels].map(label => {
    const valuesOf = (runs: readonly Figures[]) => runs.flatMap(run => run.get(label)?.value ?? [])
    const [values, olds] = [valuesOf(current), valuesOf(old)]
    const target = current.find(run => run.has(label))?.get(label)?.target
    return {
      ...{ label, before: olds, after: values },
      ...(target && values.length > 0 ? { target: { ...target, ratio: median(values) } } : {}),
      isNoisy: noiseOf(olds) > noiseMax || noiseOf(values) > noiseMax,
    }
  })
}

/** The quieter of two measurements of the same figure. */
export function quieter(first: readonly Compared[], second: readonly Compared[]): Compared[] {
  const noise = ({ before, after }: Compared) => Math.max(noiseOf(before), noiseOf(after))
  const earlier = new Map(first.map(each => [each.label, each]))
  return second.map(each => {
    const other = earlier.get(each.label)
    return other && noise(other) < noise(each) ? other : each
  })
}

export function comparisonTable(compared: readonly Compared[]): string {
  const value = (values: readonly number[]) => (values.length === 0 ? '-' : figure(median(values)))
  return table([
    ['', 'before', 'after', 'after / before', 'target', ''],
    ...compared.map(({ label, before, after, target, isNoisy }) => [
      ...[label, value(before), value(after)],
      before.length === 0 || after.length === 0 ? '-' : figure(median(after) / median(before)),
      target ? `${target.bound} ${target.limit}` : '',
      [...(target ? [judge(target)] : []), ...(isNoisy ? ['noisy'] : [])].join(', '),
    ]),
  ])
}

/** The figures that miss what is asked of them; those that are noisy say nothing. */
export const missed = (compared: readonly Compared[]): Compared[] =>
  compared.filter(({ target, isNoisy }) => target !== undefined && !isNoisy && judge(target) === 'missed')

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

type Figures = Map<string, { readonly value: number; readonly target?: Target }>

function figuresOf({ targets, figures = [] }: Measured): Figures {
  return new Map([
    ...targets.map(target => [target.what.replace(/^\w+: /, ''), { value: target.ratio, target }] as const),
    ...figures.map(({ label, value }) => [label, { value }] as const),
  ])
}

const noiseOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / median(values)

import type { Random } from '../../laws/random.ts'

/** Damages lines of a file as a crash or a second writer does it. */
export function damageLines(random: Random, lines: readonly string[]): string {
  const whole = lines.map(line => `${line}\n`)
  const at = random.range(1, Math.max(lines.length - 2, 1))
  const text = random.pick([
    () => whole.join(''),
    () => whole.join(''),
    // The last write was cut off.
    () => `${whole.join('')}${half(random, lines.at(-1) ?? '')}`,
    // A write was cut off, and the next record was appended to it.
    () => [...whole.slice(0, at), `${half(random, lines[at])}${whole[at]}`, ...whole.slice(at + 1)].join(''),
    // A line break was lost.
    () => [...whole.slice(0, at), lines[at], ...whole.slice(at + 1)].join(''),
  ])()
  return random.chance(0.1) ? text.replace(/\n$/, '') : text
}

const half = (random: Random, line: string): string => line.slice(0, random.range(1, Math.max(line.length - 1, 1)))

import type { Measured } from './parts.ts'
import { noiseMax } from './targets.ts'

/**
 * Measures a part once more if some work in it differs too much from itself, and takes the quieter measurement. If that is too noisy as
 * well, nothing is said about its targets.
 */
export async function measureQuietly<M extends Measured>(
  name: string,
  measureOnce: () => Promise<M | undefined>,
  say: (line: string) => void,
): Promise<M | undefined> {
  const first = await measureOnce()
  if (!first || !isTooNoisy(first)) return first
  say(`${name} exceeds its noise control (${percent(first)}, at most ${noiseMax * 100}%): measuring it once more`)
  const second = await measureOnce()
  const quieter = second && (second.noise ?? 0) < (first.noise ?? 0) ? second : first
  if (!isTooNoisy(quieter)) return quieter
  say(`${name} is too noisy to judge (${percent(quieter)})`)
  return { ...quieter, targets: quieter.targets.map(target => ({ ...target, isTooNoisy: true })) }
}

const isTooNoisy = ({ noise = 0 }: Measured): boolean => noise > noiseMax

const percent = ({ noise = 0 }: Measured): string => `${(noise * 100).toFixed(0)}%`

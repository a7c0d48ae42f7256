import { Detection } from '../detect.ts'

/** Whether something in a list shows its format, rather than merely fitting it: only then it is written. */
export function isProven(messages: readonly unknown[]): boolean {
  const detection = new Detection()
  for (const message of messages) detection.push(message)
  return detection.isProven
}

export const unprovenNote =
  'nothing in it shows which format it is in, so it is not written: antiphon heal --write --format FORMAT repairs it'

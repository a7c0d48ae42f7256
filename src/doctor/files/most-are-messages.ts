import { recognition } from '../../codecs/shared/recognition.ts'

/** A log with a message here and there is not a history. */
export function mostAreMessages(values: readonly unknown[]): boolean {
  const recognisers = Object.values(recognition)
  const messages = values.filter(value => recognisers.some(recognise => recognise(value) !== 'no'))
  return 2 * messages.length >= values.length
}

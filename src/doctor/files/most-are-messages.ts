import { recognition } from '../../codecs/shared/recognition.ts'

/** What a program writes down a line at a time may have a message here and there: that makes no history of it. */
export function mostAreMessages(values: readonly unknown[]): boolean {
  const recognisers = Object.values(recognition)
  const messages = values.filter(value => recognisers.some(recognise => recognise(value) !== 'no'))
  return 2 * messages.length >= values.length
}

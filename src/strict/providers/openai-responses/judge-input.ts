import type { Wire } from '../../judge/validator.ts'

/** How many items of the history are stored ones, which the request only builds on. Its own input follows them. */
export const startOf = ({ messages, body, state }: Wire): number =>
  body && state ? messages.length - state.input(body).length : 0

/** The place of an item of the history. Stored ones have none in the request. */
export const placeOf = (index: number, start: number): string => (index < start ? 'input' : `input[${index - start}]`)

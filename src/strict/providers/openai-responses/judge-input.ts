import type { RawRequest } from '../../judge/validator.ts'

/** How many items of the history are stored ones that the request builds on. Its own input follows them. */
export const startOf = ({ messages, body, state }: RawRequest): number =>
  body && state ? messages.length - state.input(body).length : 0

/** The path of an item of the history. Stored items have none in the request. */
export const placeOf = (index: number, start: number): string => (index < start ? 'input' : `input[${index - start}]`)

/** A message of a broken history, in no wire at all. */
export type Said =
  | { who: 'user' | 'system'; text: string }
  | { who: 'assistant'; text?: string; call?: string }
  | { who: 'tool'; call: string; text: string; isError?: true }

/** The five failures of the demo, and the commonest one of all. */
export const failures = {
  orphan: [
    { who: 'user', text: 'Refund order 1042.' },
    { who: 'tool', call: 'call_a', text: 'refunded, receipt 77' },
    { who: 'assistant', call: 'call_b' },
    { who: 'tool', call: 'call_b', text: 'refused: already refunded' },
    { who: 'user', text: 'And order 1043, please.' },
  ],
  split: [
    { who: 'user', text: 'Drop the staging database.' },
    { who: 'assistant', call: 'call_1' },
    { who: 'assistant', text: 'I will go on once you approve.' },
    { who: 'tool', call: 'call_1', text: 'dropped 12 tables' },
    { who: 'user', text: 'Thanks. Now restore it.' },
  ],
  interrupt: [
    { who: 'user', text: 'Run the tests.' },
    { who: 'assistant', text: 'Running all of them.', call: 'toolu_01' },
    { who: 'user', text: 'Stop, the unit tests are enough.' },
    { who: 'tool', call: 'toolu_01', text: '3 of 412 failed' },
  ],
  system: [
    { who: 'user', text: 'Summary so far: a trip to Lisbon.' },
    { who: 'system', text: 'You are a travel agent.' },
    { who: 'user', text: 'Find me a flight on Friday.' },
    { who: 'assistant', call: 'call_9' },
    { who: 'tool', call: 'call_9', text: 'TP 1351, 89 EUR' },
  ],
  crash: [
    { who: 'user', text: 'Charge the card.' },
    { who: 'assistant', call: 'toolu_02' },
    { who: 'tool', call: 'toolu_02', text: 'worker restarted', isError: true },
    { who: 'tool', call: 'toolu_02', text: 'charged 89 EUR' },
  ],
  unanswered: [
    { who: 'user', text: 'Book the flight.' },
    { who: 'assistant', call: 'call_5' },
    { who: 'user', text: 'Are you there?' },
  ],
} satisfies Record<string, Said[]>

export type FailureName = keyof typeof failures

export const failureNames = Object.keys(failures) as FailureName[]

/** A conversation that nobody refuses. */
export const healthy: Said[] = [
  { who: 'user', text: 'Find me a flight.' },
  { who: 'assistant', call: 'abcdefgh1' },
  { who: 'tool', call: 'abcdefgh1', text: 'TP 1351' },
]

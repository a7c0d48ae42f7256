import { AntiphonError } from './errors.ts'

/** Throws for an option that is not an amount, such as NaN, which becomes of an environment variable that is not set. */
export function assertAmounts(amounts: Readonly<Record<string, number | undefined>>): void {
  for (const [name, amount] of Object.entries(amounts))
    if (amount !== undefined && !(amount >= 0))
      throw new AntiphonError('wrong-number', `${name} must be 0 or more, got ${amount}`, {
        hint: 'leave it out for the default',
      })
}

/** Throws for an option that is none of the values it may have. */
export function assertChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value))
    throw new AntiphonError('unknown-choice', `unknown value of ${name}: ${JSON.stringify(value)}`, {
      hint: `one of: ${choices.join(', ')}`,
    })
}

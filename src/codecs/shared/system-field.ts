import type { Facts } from '../../core/dialect.ts'

/** Where system messages may be once an SDK has moved the first ones into a field of the request. */
export const withSystemField = (facts: Facts): Facts => ({
  ...facts,
  system: facts.systemRole === 'after-user' ? 'after-user' : 'first',
  noUser: facts.noUser === 'accept' ? 'refuse-system-only' : facts.noUser,
})

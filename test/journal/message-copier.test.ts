import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageCopier } from '../../src/journal/render/message-copier.ts'

/** What messages can hold; some of them are made alike, and some are not. */
const content = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 3 }),
    fc.constant(null),
    fc.uint8Array({ maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('role', 'content', 'id', '__proto__'), tie('value'), { noNullPrototype: true }),
  ),
})).value

test('[B421] copies say the same, and whatever is done to them, the next ones say it again', () => {
  fc.assert(
    fc.property(fc.array(content), fc.array(content), (messages, more) => {
      const copier = new MessageCopier()
      const all = [...messages, ...more]
      const said = structuredClone(all)
      for (const list of [messages, all, all.toReversed(), all]) {
        const copies = copier.copy(list)
        expect(copies).toStrictEqual(list)
        spoil(copies)
        expect(all).toStrictEqual(said)
      }
    }),
  )
})

/** Changes everything that can be. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Uint8Array) {
    value.fill(7)
    return
  }
  for (const field of Object.values(value)) spoil(field)
  if (Array.isArray(value)) value.length = 0
  else for (const key of Object.keys(value)) delete (value as Record<string, unknown>)[key]
}

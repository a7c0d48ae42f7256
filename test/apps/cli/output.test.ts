import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactly } from '../../../src/core/json/exact-json.ts'
import { readInput } from '../../../src/doctor/files/input.ts'
import { withMessages } from '../../../src/doctor/files/output.ts'
import { repair } from '../../../src/heal/heal.ts'
import { files, read, root } from '../../repository.ts'
import { json } from './histories.ts'
import { folder } from './program.ts'

const message = fc.record(
  { role: fc.constantFrom('user', 'assistant'), content: fc.string({ unit: 'binary' }), extra: fc.jsonValue() },
  { requiredKeys: ['role'] },
)

const layout = fc.record({
  indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\ufeff'),
  kind: fc.constantFrom('list', 'body', 'lines'),
  ending: fc.constantFrom('', '\n', '\n\n'),
})

function lay(
  history: unknown[],
  { indent, lineBreak, mark, kind, ending }: typeof layout extends fc.Arbitrary<infer T> ? T : never,
): string {
  const value = kind === 'body' ? { a: ['[', { messages: [] }], messages: history, model: '"]' } : history
  const text = kind === 'lines' ? history.map(json).join('\n') : JSON.stringify(value, null, indent)
  return mark + `${text}${ending}`.replaceAll('\n', lineBreak)
}

describe('what is written back', () => {
  const cwd = folder()
  const file = join(cwd, 'chat.json')

  test('[C15] in any layout it holds exactly the messages, and all else is as it was', async () => {
    const changes = fc.array(fc.oneof(fc.nat({ max: 9 }), message), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 2, maxLength: 6 }),
        layout,
        changes,
        async (history, way, plan) => {
          writeFileSync(file, lay(history, way))
          const input = await readInput(file, parseExactly)
          expect(input.kind).toBe(way.kind)
          expect(withMessages(input, input.history)).toEqual(input.bytes)
          const known = [...input.history]
          const changed = plan.map(step => (typeof step === 'number' ? known[step % known.length] : step))
          const text = withMessages(input, changed).toString()
          const laid = text.replaceAll('\r\n', '\n')
          if (way.kind === 'lines')
            expect(
              laid
                .replace('\ufeff', '')
                .split('\n')
                .filter(line => line !== '')
                .map(line => JSON.parse(line)),
            ).toEqual(JSON.parse(JSON.stringify(changed)))
          else expect(text).toBe(lay(changed, way))
        },
      ),
      { numRuns: 300, seed: 2085286733 },
    )
  })

  test('[C15] every broken history of the corpus comes back in its own file', async () => {
    let checked = 0
    for (const path of files('test/corpus/*.json')) {
      const input = await readInput(join(root, path), parseExactly).catch(() => undefined)
      if (!input) continue
      const { messages } = repair(input.history)
      const { [input.key ?? '']: healed, ...rest } = JSON.parse(withMessages(input, messages).toString())
      const { [input.key ?? '']: _, ...before } = JSON.parse(read(path) ?? '')
      expect(healed, path).toEqual(messages)
      expect(rest).toEqual(before)
      checked++
    }
    expect(checked).toBeGreaterThan(90)
  })
})

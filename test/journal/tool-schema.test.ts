import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openJournal, run, type Tool, tool } from '../../src/journal/index.ts'
import { scripted } from './contract/model.ts'
import { said } from './contract/said.ts'

const schemas = {
  zod: z.object({ city: z.string(), days: z.coerce.number().default(3) }),
  valibot: v.object({ city: v.string(), days: v.optional(v.pipe(v.unknown(), v.transform(Number)), 3) }),
  arktype: type({ city: 'string', days: type('string.numeric.parse | number').default(3) }),
}

/** A run in which the model calls `forecast` with the input. */
async function forecast(declared: Tool, input: unknown) {
  const journal = await openJournal('memory:')
  const thread = journal.thread('one')
  await thread.submit('How is the weather?')
  const model = scripted([['forecast', input]], 'Done.')
  const result = await run(thread, { model, tools: { forecast: declared } })
  return { journal, thread, model, result }
}

describe('a tool with a schema', () => {
  test.each(['zod', 'valibot', 'arktype'] as const)(
    '[B575] gets its input as the schema of %s returns it',
    async vendor => {
      const ran: unknown[] = []
      const declared: Tool = { inputSchema: schemas[vendor], execute: (input: unknown) => ran.push(input) }
      for (const input of [{ city: 'Bern', days: '5' }, { city: 'Ulm' }])
        await (await forecast(declared, input)).journal.close()
      expect(ran).toEqual([
        { city: 'Bern', days: 5 },
        { city: 'Ulm', days: 3 },
      ])
    },
  )

  test.each(['zod', 'valibot', 'arktype'] as const)(
    '[B576] is not run if the arguments do not fit the schema of %s, and the model is told why',
    async vendor => {
      let runs = 0
      const declared: Tool = { inputSchema: schemas[vendor], approval: true, execute: () => ++runs }
      const { journal, model, result } = await forecast(declared, { city: 7 })
      await using _ = journal
      expect(result).toEqual({ status: 'done', turn: 1 })
      expect(runs).toBe(0)
      expect(said(model.asked[1] as never)[1]).toMatch(
        /^The arguments do not fit the schema of the tool: city: .+\. The call was not run\.$/,
      )
    },
  )

  test('[B577] validates input that a person changed, and runs it as the schema returns it', async () => {
    const ran: unknown[] = []
    const tools = {
      forecast: tool({ inputSchema: schemas.zod, approval: true, execute: ({ city, days }) => ran.push([city, days]) }),
    }
    for (const [input, expected] of [
      [{ city: 'Ulm', days: '2' }, [['Ulm', 2]]],
      [{ city: 7 }, []],
    ]) {
      const { journal, thread, result } = await forecast(tools.forecast, { city: 'Bern' })
      await using _ = journal
      expect(result.status).toBe('parked')
      const [call] = await thread.openCalls()
      await thread.approve(call.id, { input })
      ran.length = 0
      expect(await run(thread, { model: scripted('Done.'), tools })).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual(expected)
    }
  })

  test('[B578] a schema that throws, or has more to say than a model needs, becomes an error result', async () => {
    const schema = (validate: (value: unknown) => never) =>
      ({ '~standard': { version: 1, vendor: 'own', validate } }) as const
    const broken = schema(() => {
      throw new Error('no rules today')
    })
    const long = schema((() => ({
      issues: Array.from({ length: 25 }, (_, index) => ({ message: `wrong ${index}` })),
    })) as never)
    for (const [inputSchema, message] of [
      [broken, 'The arguments could not be validated: no rules today. The call was not run.'],
      [long, /: wrong 0; .*; wrong 9; and 15 more\. The call was not run\.$/],
    ] as const) {
      const { journal, model } = await forecast({ inputSchema, execute: () => 'ran' }, {})
      await using _ = journal
      expect(said(model.asked[1] as never)[1]).toEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      )
    }
  })

  test('[B579] infers the type of the input from the schema', () => {
    const typed = [
      tool({ inputSchema: schemas.zod, execute: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed()}` }),
      tool({ inputSchema: schemas.valibot, execute: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed()}` }),
      tool({ inputSchema: schemas.arktype, execute: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed()}` }),
      tool({
        inputSchema: schemas.zod,
        // @ts-expect-error The schema has no country.
        execute: ({ country }) => country,
      }),
    ]
    expect(typed.every(({ inputSchema }) => inputSchema)).toBe(true)
  })
})
